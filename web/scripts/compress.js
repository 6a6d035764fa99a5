/** Compresses the build once, and well: the server sends `x.js.br` to browsers that accept it. */
import { brotliCompressSync } from "node:zlib";

const TEXT = /\.(js|css|html|svg|webmanifest)$/;
const LEAST = 1024;

/** @returns {import("vite").Plugin} */
export function compress() {
  return {
    name: "foretold-compress",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          const body = Buffer.from(file.type === "chunk" ? file.code : file.source);
          if (!TEXT.test(fileName) || body.length < LEAST) continue;
          const source = brotliCompressSync(body);
          this.emitFile({ type: "asset", fileName: `${fileName}.br`, source });
        }
      },
    },
  };
}
