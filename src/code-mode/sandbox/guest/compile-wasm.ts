/** Compiles WebAssembly; the types of Node name its modules and not its functions. */

type Compiler = { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
const isCompiler = (value: unknown): value is Compiler =>
  value !== null && typeof value === "object" && "compile" in value;

export async function compileWasm(bytes: Uint8Array): Promise<WebAssembly.Module> {
  const compiler: unknown = Reflect.get(globalThis, "WebAssembly");
  if (!isCompiler(compiler)) throw new Error("this Node has no WebAssembly");
  return compiler.compile(bytes);
}
