/**
 * Node's HTTP server, asked for by name. An `import` of node:http reads each of its exports, and reading its WebSocket
 * client loads all of fetch: a tenth of a start, and 3 MB that an idle gateway has no use for.
 */
export const { createServer, STATUS_CODES, validateHeaderValue } = process.getBuiltinModule("node:http");
