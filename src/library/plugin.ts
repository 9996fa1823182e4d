/** The bundled plugin `library`: every submission as a file, and a library of all plans. */
import { definePlugin, type Plugin } from "../plugins/sdk.ts";
import type { FoundPlans } from "./files/write-plan-file.ts";
import { LIBRARY_SLICE, librarySlice } from "./machine/slice.ts";
import { LIBRARY_ORDERS, type LibraryHouse, performLibraryOrder } from "./perform.ts";
import { libraryMethods } from "./methods/library-methods.ts";
import { LIBRARY_CONFIG } from "./protocol/config.ts";
import { libraryProtocol } from "./protocol/index.ts";
import { createLibraryIndex, type LibraryIndex } from "./search/library-index.ts";
import { createSharedPlans, type SharedPlans } from "./plan-store/shared-plans.ts";
import { ENGLISH } from "./texts/en.ts";

/** What the gateway passes to the library besides the SDK; it is asked for when the library first works. */
export type LibraryParts = { library(): LibraryHouse };

export const startPlugin = ({ library }: LibraryParts): Plugin =>
  definePlugin({
    id: libraryProtocol.id,
    name: ENGLISH.plugin_library,
    description: ENGLISH.about_library,
    register(api) {
      let made: LibraryIndex | undefined;
      let sharedPlans: SharedPlans | undefined;
      const index = (): LibraryIndex => (made ??= createLibraryIndex({ ...library(), documents: api.documents }));
      api.session.registerSlice(librarySlice);
      const found: FoundPlans = new Map();
      api.settings.register({
        key: LIBRARY_SLICE,
        sections: LIBRARY_CONFIG,
        resolve: ({ root }) => ({ workUnits: root.workUnits.enabled }),
      });
      api.session.registerWorker({
        slice: LIBRARY_SLICE,
        orders: LIBRARY_ORDERS,
        isUnhurried: true,
        perform: (order, call) => performLibraryOrder(order, call, { ...library(), api, index: index(), found }),
      });
      const ports = {
        documents: api.documents,
        readSession: (id: string) => library().session(id),
        index,
        shared: (): SharedPlans => (sharedPlans ??= createSharedPlans(library().home)),
        withoutSecrets: (text: string) => library().withoutSecrets(text),
      };
      for (const method of libraryMethods(ports)) api.methods.register(method);
    },
  });
