import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { required } from '../src/kit/values/required.ts'

const DRAW = JSON.stringify(fileURLToPath(new URL('../src/ui/drawIcon.client.ts', import.meta.url)))
const LIST = new URL('../node_modules/lucide-react/dist/esm/lucide-react.mjs', import.meta.url)

/** Imports each icon from its own file, because the index imports two thousand icons. */
export function namedIcons(): Plugin {
  const fileOf = new Map(
    [...readFileSync(LIST, 'utf8').matchAll(/export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g)].flatMap(
      ([, names, file]) =>
        [...required(names, 'the names').matchAll(/default as (\w+)/g)].map(
          ([, name]) => [required(name, 'a name'), required(file, 'a file')] as const,
        ),
    ),
  )
  const importOf = (name: string, own = name) => `import ${own} from 'lucide-react/icons/${fileOf.get(name)}'`
  const nameFiles = (code: string) =>
    code.replace(/import \{([^}]*)\} from ["']lucide-react["'];?/g, (_, names: string) =>
      names
        .split(',')
        .map((name) => importOf(...(name.trim().split(/ as /) as [string])))
        .join('\n'),
    )
  const lighten = (code: string) =>
    code
      .replace(/import createLucideIcon from .*/, `import { drawIcon as createLucideIcon } from ${DRAW}`)
      .replace(/,\s*key: "\w+"|,\s*aliases: \[[^\]]*\]|(name|size): ("[^"]*"|\d+),/g, '')
  return {
    name: 'named-icons',
    apply: 'build',
    transform: {
      filter: { code: /from ["']lucide-react["']|createLucideIcon\.mjs/ },
      handler: (code, id) => ({
        code: /lucide-react.*\/icons\//.test(id) ? lighten(code) : nameFiles(code),
        map: null,
      }),
    },
  }
}
