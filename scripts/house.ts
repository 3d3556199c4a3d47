import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { required } from '../src/kit/values/required.ts'

export type Source = { file: string; text: string }
export type Side = 'server' | 'browser' | 'both'

export const readSources = (): Source[] =>
  globSync('src/*/**/*.{ts,tsx}')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

export const roomOf = (file: string) => required(file.split('/')[1], 'the room')

export const importsOf = ({ file, text }: Source): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, to]) =>
    normalize(join(dirname(file), required(to, 'the path of an import'))),
  )

export function sideOf(file: string): Side {
  const name = basename(file)
  if (/\.(server|module)\.ts$/.test(name)) return 'server'
  return name.endsWith('.tsx') || name.endsWith('.client.ts') || /^use[A-Z]\w*\.ts$/.test(name) ? 'browser' : 'both'
}
