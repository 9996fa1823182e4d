/** The control page over HTTP: files by their exact address, and the page itself for the addresses of its views. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HttpAnswer, HttpRequest, HttpRoute } from "../../http/http-route.ts";
import type { FindPage, FoundPage, NoPage, PagePlace } from "./find-page.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { type BuiltPage, ENDING, type PageFile } from "./page-manifest.ts";

/** The page's own views: a name, and ids below it. Everything else that is no file is not there. */
const VIEW =
  /^\/(?:(?:inbox|sessions|plans|review|timeline|audit|charts|activity|settings|help)(?:\/[A-Za-z0-9_-]{1,128}){0,4})?$/;
const INDEX = "/index.html";
const SERVICE_WORKER = "/sw.js";
const OF_PREPARING = new Set(["/preparing.js", "/preparing.css"]);
const YEAR_S = 31_536_000;

type Log = { error(what: object, message: string): void };

export type PageRoute = HttpRoute & { close(): void };

/** `root`: the package whose page it is, if not our own. */
export function createPageRoute({ log, ...where }: PagePlace & { log: Log }): PageRoute {
  let finding: Promise<FindPage> | undefined; // if nobody opens the page, none of it is loaded
  return {
    takes: () => true,
    methods: ["GET", "HEAD"],
    bodyBytesMax: 0,
    async answer(request) {
      if (request.byNickname && VIEW.test(request.path)) return byAddress(request);
      if (OF_PREPARING.has(request.path)) return preparing(request); // also when the page is there by now
      finding ??= import("./find-page.ts").then(({ createFindPage }) => createFindPage(where));
      const finder = await finding;
      const page = await (showsProgress(request) ? finder.findOrBuilding() : finder.find());
      if (page === "building") return preparing(request);
      return servePage(page, request, log);
    },
    close: () => void finding?.then((finder) => finder.close()),
  };
}

const preparing = async (request: HttpRequest): Promise<HttpAnswer> =>
  (await import("./preparing-page.ts")).preparing(request);

/** A person who opens a view sees at once what they wait for; a program gets its answer when there is one. */
const showsProgress = ({ path, headers }: HttpRequest): boolean =>
  VIEW.test(path) && String(headers.accept).includes("text/html");

/** A person who typed localhost goes on by the address itself, where only we can answer; see host-check.ts. */
function byAddress({ headers, path, peer }: HttpRequest): HttpAnswer {
  const port = /:\d+$/.exec(headers.host ?? "")?.[0] ?? "";
  const location = `http://${peer === "::1" ? "[::1]" : "127.0.0.1"}${port}${path}`;
  return { status: 307, body: "", headers: { location } };
}

/** Only addresses that the manifest lists are read from disk: no part of a path comes from outside. */
async function servePage(page: FoundPage, request: HttpRequest, log: Log): Promise<HttpAnswer> {
  const { path } = request;
  if ("missing" in page) return noPage(page, path, log);
  const file = path === INDEX ? undefined : page.files.get(path);
  if (file !== undefined) return answerWith(file, { page, request, path });
  const index = page.files.get(INDEX);
  if (index !== undefined && VIEW.test(path)) return answerWith(index, { page, request, path: INDEX });
  return NOT_FOUND;
}

type Asked = { page: BuiltPage; request: HttpRequest; path: string };

async function answerWith(file: PageFile, { page, request, path }: Asked): Promise<HttpAnswer> {
  const encoding = file.encodings.find((name) => accepts(request.headers["accept-encoding"], name));
  const etag = `"${file.hash}${encoding === undefined ? "" : `-${encoding}`}"`;
  const headers = {
    ...PAGE_HEADERS,
    "content-type": file.type,
    "cache-control": file.immutable ? `public, max-age=${YEAR_S}, immutable` : "no-cache",
    etag,
    ...(file.encodings.length === 0 ? {} : { vary: "accept-encoding" }),
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    ...(path === SERVICE_WORKER ? { "service-worker-allowed": "/" } : {}),
  };
  if (isKnown(request.headers["if-none-match"], etag)) return { status: 304, body: "", headers };
  const name = encoding === undefined ? file.file : `${file.file}${ENDING[encoding]}`;
  return { status: 200, body: await readFile(join(page.folder, name)), headers };
}

/** `br;q=0` is a no. */
function accepts(header: string | string[] | undefined, name: string): boolean {
  return String(header ?? "")
    .split(",")
    .some((item) => {
      const [coding = "", weight = ""] = item.split(";").map((part) => part.trim().toLowerCase());
      return coding === name && !/^q=0(?:\.0*)?$/.test(weight);
    });
}

const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((item) => item.trim().replace(/^W\//, "") === etag);

const NOT_FOUND: HttpAnswer = { status: 404, body: JSON.stringify({ error: { message: "There is nothing here." } }) };

function noPage({ missing }: NoPage, path: string, log: Log): HttpAnswer {
  if (!VIEW.test(path)) return NOT_FOUND;
  log.error({ reason: missing }, "the page cannot be served");
  const body = `The gateway runs, but its page could not be made.\n\n${missing}\n\nThe terminal works without it: holdpoint chat\n`;
  return { status: 503, body, headers: { "content-type": "text/plain; charset=utf-8" } };
}
