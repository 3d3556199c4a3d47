import type { Manifest } from 'vite'

export function filesOf(manifest: Manifest, key: string): string[] {
  const { file, imports = [] } = manifest[key]!
  return [...new Set([`/${file}`, ...imports.flatMap((name) => filesOf(manifest, name))])]
}

export const INLINE = /<script>([\s\S]*?)<\/script>/g

export const readInline = (html: string) => [...html.matchAll(INLINE)].map(([, code]) => code!)
