import type { Manifest } from 'vite'

/** The scripts of a chunk and of its imports, as URLs. */
export function filesOf(manifest: Manifest, key: string): string[] {
  const { file, imports = [] } = manifest[key]!
  return [...new Set([`/${file}`, ...imports.flatMap((name) => filesOf(manifest, name))])]
}

export const INLINE = /<script>([\s\S]*?)<\/script>/g

export const readInline = (html: string) => [...html.matchAll(INLINE)].map(([, code]) => code!)
