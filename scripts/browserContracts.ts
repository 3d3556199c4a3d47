import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

// The browser needs only the calls and constants of a contract, because the server checks input. Without the schemas,
// the first load needs no schema library (9 KB). A form that checks its input imports its schema from the source.

const SOURCE = '?source'

const isPlain = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) ? value.every(isPlain) : isRecord(value) && Object.values(value).every(isPlain))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const isCall = (value: unknown): value is { line: string } => isRecord(value) && 'line' in value && 'reply' in value

function describe(name: string, value: unknown, source: string): string {
  if (isCall(value)) return `export const ${name} = { line: ${JSON.stringify(value.line)} }`
  if (isPlain(value)) return `export const ${name} = ${JSON.stringify(value)}`
  if (value instanceof RegExp) return `export const ${name} = ${String(value)}`
  return `export { ${name} } from ${JSON.stringify(source)}`
}

export async function toBrowserModule(file: string): Promise<string> {
  const contract = (await import(pathToFileURL(file).href)) as Record<string, unknown>
  return Object.entries(contract)
    .map(([name, value]) => describe(name, value, file + SOURCE))
    .join('\n')
}

export const browserContracts: Plugin = {
  name: 'browser-contracts',
  apply: 'build',
  load: {
    filter: { id: /\.contract\.ts$/ },
    handler: async (file) => ({ code: await toBrowserModule(file), moduleType: 'js' }),
  },
  transform: {
    filter: { id: /\.contract\.ts\?source$/ },
    // Lets the bundler drop a source if no form uses its schemas.
    handler: (code) => ({ code, map: null, moduleSideEffects: false }),
  },
}
