/** The part of the prelude by which a cell calls tools, and what of the catalog it finds as names. */

const CALLS = String.raw`
  const IN_FLIGHT_MAX = 128, ARGUMENTS_CHARS_MAX = 262144, TARGET_CHARS_MAX = 1000;
  let callCount = 0;
  let maxAsked = 16;
  const open = new MapC(); // callId → the call, until its promise is settled
  for (const name of ["get", "set", "delete"]) hidden(open, name, MapC.prototype[name]); // its own: quicker than to apply them
  let firstQueued, lastQueued; // calls that wait, each with the next behind it
  let queuedCount = 0;
  let asked = 0;
  let tooMany = false;
  const failures = new WeakMapC(); // errors of calls and of refused modules, by identity: a cell cannot make one

  const request = (method, target, given) =>
    new PromiseC((resolve, reject) => {
      const name = typeof target === "string" ? target : worded(target);
      if (name.length > TARGET_CHARS_MAX) throw new RangeErrorC("The name of what is called is too long.");
      const args = "[" + given() + "]";
      if (args.length > ARGUMENTS_CHARS_MAX) throw new RangeErrorC("The arguments are larger than " + ARGUMENTS_CHARS_MAX + " characters.");
      callCount += 1;
      const call = { number: callCount, id: "c" + callCount, method, target: name, args, resolve, reject, next: undefined };
      open.set(call.id, call);
      if (lastQueued === undefined) firstQueued = call;
      else lastQueued.next = call;
      lastQueued = call;
      queuedCount += 1;
    });
  const inputJson = (input) => {
    const text = input === undefined ? "{}" : jsonOf(input);
    return text === undefined ? "null" : text;
  };
  const listJson = (values) => {
    const text = jsonOf(bare(values));
    return slice(text, 1, text.length - 1);
  };
  // a path as words: the id of a server's tool, or the members of a namespace
  const readable = (path) => {
    const parts = split(path, SEPARATOR);
    if (parts[0] === "mcp") return "mcp:" + parts[1] + ":" + (startsWith(parts[2], "tool:") ? slice(parts[2], 5) : parts[2]);
    let name = parts[1];
    for (let at = 2; at < parts.length; at++) name += "." + parts[at];
    return name;
  };
  const settle = (callId, ok, text) => {
    const call = open.get(callId);
    if (call === undefined) return;
    open.delete(callId);
    asked -= 1;
    let value;
    try { value = parse(text); } catch { ok = false; value = "The answer was no JSON."; }
    if (ok) return call.resolve(value);
    const error = new ErrorC(worded(value));
    hidden(error, "name", "ToolError");
    const name = call.method === "namespace" ? readable(call.target) : call.target;
    hidden(error, "toolId", name);
    weakSet(failures, error, { kind: "call", target: name });
    call.reject(error);
  };
  // calls that may be made now, taken out of those that wait; a batch that goes beyond the limit is refused whole
  const countNext = () => {
    if (queuedCount === 0) return 0;
    if (asked + queuedCount > IN_FLIGHT_MAX) { tooMany = true; return 0; }
    const free = maxAsked - asked;
    return free < 0 ? 0 : queuedCount < free ? queuedCount : free;
  };
  const takeNext = () => {
    const call = firstQueued;
    firstQueued = call.next;
    call.next = undefined;
    if (firstQueued === undefined) lastQueued = undefined;
    queuedCount -= 1;
    asked += 1;
    return call;
  };

  const denied = (what) => {
    const error = new ErrorC(what + " is not available in a cell: there are no modules. Use tools, MCP and API.");
    hidden(error, "name", "ModuleError");
    weakSet(failures, error, { kind: "denied" });
    return error;
  };
  hidden(globalThis, "require", () => { throw denied("require"); });

  const tools = create(null);
  shown(tools, "search", (query, options) => {
    const limit = typeof options === "object" && options !== null ? options.limit : undefined;
    return request("search", query === undefined ? "" : query, () => jsonOf(typeof limit === "number" ? { limit } : {}));
  });
  shown(tools, "describe", (id) => request("describe", id, () => ""));
  shown(tools, "call", (id, input) => request("call", id, () => inputJson(input)));

  // as an exception that nobody catches: it ends the program
  const uncaught = (error) => { if (ended === 0) { ended = 2; result = error; } };
  const soon = async (work) => {
    try {
      await undefined;
      apply(work, undefined, bare([]));
    } catch (error) {
      uncaught(error);
    }
  };
  hidden(globalThis, "queueMicrotask", (work) => {
    if (typeof work !== "function") throw new TypeErrorC("queueMicrotask needs a function.");
    soon(work);
  });
  // its callbacks would run at times that depend on the collector
  delete globalThis.FinalizationRegistry;

  let yielded = false;
  let goOn;
  hidden(globalThis, "yield_control", () => new PromiseC((resolve) => { yielded = true; goOn = resolve; }));
`;
const BINDINGS = String.raw`
  const unsafe = create(null);
  const inherited = ownKeys(ObjectPrototype);
  for (let at = 0; at < inherited.length; at++) unsafe[inherited[at]] = true;
  unsafe.then = true; unsafe.toJSON = true; unsafe.prototype = true;

  const built = (node, seen) => {
    if ("call" in node) { const path = node.call; return (...values) => request("namespace", path, () => listJson(values)); }
    if ("same" in node) return seen[node.same];
    if ("value" in node) return node.value;
    if ("items" in node) {
      const list = [];
      push(seen, list);
      for (let at = 0; at < node.items.length; at++) push(list, built(node.items[at], seen));
      return list;
    }
    const object = {};
    push(seen, object);
    for (let at = 0; at < node.members.length; at++) shown(object, node.members[at][0], built(node.members[at][1], seen));
    return object;
  };
  const fileNames = bare([]);
  let files = new MapC();
  const api = create(null);
  const badPath = (path) => {
    if (typeof path !== "string" || path === "") return true;
    const parts = split(path, "/");
    for (let at = 0; at < parts.length; at++) if (parts[at] === "." || parts[at] === "..") return true;
    return false;
  };
  // a folder, or the beginning of a file's name in one
  const beginsWith = (path, prefix) =>
    startsWith(path, prefix) && (path.length === prefix.length || path[prefix.length] === "/" || indexOf(prefix, "/") >= 0);
  const later = (work) => new PromiseC((resolve) => resolve(work()));
  shown(api, "list", (prefix) => later(() => {
    if (prefix !== undefined && prefix !== "" && badPath(prefix)) throw new ErrorC("There is no such path.");
    const found = [];
    for (let at = 0; at < fileNames.length; at++) {
      const path = fileNames[at];
      if (prefix === undefined || prefix === "" || beginsWith(path, prefix))
        push(found, { path, chars: mapGet(files, path).length });
    }
    return found;
  }));
  shown(api, "read", (path) => later(() => {
    if (badPath(path) || !mapHas(files, path)) throw new ErrorC("There is no such file; API.list() names them.");
    return mapGet(files, path);
  }));

  // the names that every cell finds are in the image, so that a cell brings only what is behind them
  const mcp = create(null), namespaces = create(null);
  let allToolsJson = "[]";
  hidden(globalThis, "tools", tools);
  hidden(globalThis, "API", freeze(api));
  hidden(globalThis, "MCP", mcp);
  hidden(globalThis, "namespaces", namespaces);
  defineProperty(globalThis, "ALL_TOOLS", {
    __proto__: null,
    get() { const value = parse(allToolsJson); hidden(globalThis, "ALL_TOOLS", value); return value; },
    set(value) { hidden(globalThis, "ALL_TOOLS", value); },
    enumerable: false,
    configurable: true,
  });
  const bind = (bindings) => {
    for (let at = 0; at < bindings.convenience.length; at++) {
      const pair = bindings.convenience[at];
      const name = pair[0], id = pair[1]; // taken apart by an iterator they cost as much as the rest
      if (unsafe[name] || name in tools) continue;
      tools[name] = (input) => request("call", id, () => inputJson(input)); // it has no prototype, and is frozen below
    }
    for (let at = 0; at < bindings.apiFiles.length; at++) {
      push(fileNames, bindings.apiFiles[at][0]);
      mapSet(files, bindings.apiFiles[at][0], bindings.apiFiles[at][1]);
    }
    for (let at = 0; at < bindings.mcp.length; at++) shown(mcp, bindings.mcp[at][0], built(bindings.mcp[at][1], []));
    for (let at = 0; at < bindings.namespaces.length; at++) {
      const [name, node] = bindings.namespaces[at];
      const scope = built(node, []);
      shown(namespaces, name, scope);
      hidden(globalThis, name, scope);
    }
    freeze(tools);
    freeze(mcp);
    freeze(namespaces);
    allToolsJson = bindings.allToolsJson;
  };
`;

export const PRELUDE_CALLS = `${CALLS}${BINDINGS}`;
