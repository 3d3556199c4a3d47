import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const PACKAGE = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }

const FOLDERS: Record<string, RegExp> = {
  wasm: /^(openjpeg|jbig2)_nowasm_fallback\.js$|^LICENSE/,
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /./,
}

/**
 * Copies image decoders, character maps and standard fonts, which the PDF library loads only for documents that need
 * them. Their path contains the library's version, so browsers can cache them forever.
 */
export const pdfFiles: Plugin = {
  name: 'pdf-files',
  apply: 'build',
  generateBundle() {
    for (const [folder, wanted] of Object.entries(FOLDERS)) {
      const from = join(dirname(PACKAGE), folder)
      for (const name of readdirSync(from).filter((file) => wanted.test(file)))
        this.emitFile({
          type: 'asset',
          fileName: `assets/pdf/${version}/${folder}/${name}`,
          source: readFileSync(join(from, name)),
        })
    }
  },
}
