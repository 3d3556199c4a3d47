import type { Manifest } from 'vite'
import { required } from '../src/kit/values/required.ts'

export function filesOf(manifest: Manifest, key: string): string[] {
  const { file, imports = [] } = required(manifest[key], 'an entry of manifest')
  return [...new Set([`/${file}`, ...imports.flatMap((name) => filesOf(manifest, name))])]
}

export const INLINE = /<script>([\s\S]*?)<\/script>/g

export const readInline = (html: string) =>
  [...html.matchAll(INLINE)].map(([, code]) => required(code, 'an inline script'))
