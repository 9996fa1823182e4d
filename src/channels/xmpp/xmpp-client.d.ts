/** What is used of @xmpp/client, which ships without types. */
declare module "@xmpp/client" {
  import type { EventEmitter } from "node:events";

  export type Element = {
    name: string;
    attrs: Record<string, string | undefined>;
    is(name: string, xmlns?: string): boolean;
    getNS(): string | undefined;
    getChild(name: string, xmlns?: string): Element | undefined;
    getChildren(name: string, xmlns?: string): Element[];
    getChildText(name: string, xmlns?: string): string | null;
    getChildElements(): Element[];
    text(): string;
    toString(): string;
  };

  type Child = Element | string | undefined;
  type Parser = EventEmitter & { write(text: string): void };
  export const xml: {
    (name: string, attrs?: Record<string, string | number | undefined>, ...children: readonly Child[]): Element;
    Parser: new () => Parser;
  };

  /** Plain fields of the library, read by it whenever it needs them. */
  export type StreamManagement = EventEmitter & {
    id: string;
    enabled: boolean;
    inbound: number;
    outbound: number;
    outbound_q: { stanza: Element }[];
    requestAckDebounce: number;
  };

  type Socket = { destroy?(): void; socket?: { destroy(): void } | null };

  export type Client = EventEmitter & {
    status: string;
    options: { service: string; domain: string; lang?: string };
    jid: { toString(): string; bare(): { toString(): string } } | null;
    socket: Socket | null;
    parser: Parser | null;
    timeout: number;
    reconnect: { stop(): void };
    streamManagement: StreamManagement;
    iqCaller: { request(stanza: Element, timeoutMs?: number): Promise<Element> };
    isSecure(): boolean;
    connect(service: string): Promise<unknown>;
    open(options: { domain: string }): Promise<unknown>;
    disconnect(): Promise<unknown>;
    send(element: Element): Promise<void>;
  };

  type Credentials = { username: string; password: string };
  type Authenticate = (credentials: Credentials, mechanism: string | undefined, userAgent?: Element) => Promise<void>;

  export function client(options: {
    service: string;
    domain: string;
    username: string;
    credentials(authenticate: Authenticate, mechanisms: string[], fast: unknown, entity: Client): Promise<void>;
  }): Client;
}
