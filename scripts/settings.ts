import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../src/app/settings.server.ts'

// `npm run settings` writes docs/settings.md. Defaults and allowed values come from the schemas, descriptions from the
// comments of .env.example. A test fails if they differ.

const ROOT = join(import.meta.dirname, '..')
export const SETTINGS_PAGE = join(ROOT, 'docs/settings.md')

const HEAD = `# Settings

Made by \`npm run settings\` from the schemas of the settings and the comments of [.env.example](../.env.example). Do not edit.

Settings come from the environment or from a file \`.env\` next to \`package.json\`. The environment overrides the file, and an empty value counts as
unset. The shop refuses to start with a wrong setting: it prints the name and the allowed values.

A setting whose name contains \`SECRET\`, \`TOKEN\` or \`PASSWORD\`, or ends in \`KEY\` or \`URL\`, may come from a file: give its path in \`<name>_FILE\` and
leave out the setting. [Operating](operating/README.md) explains how to use the settings. A row without a meaning belongs to the row above it.

| Setting | Default | Allowed | Meaning |
| --- | --- | --- | --- |
`

type Name = keyof typeof SETTINGS

const isName = (name: string): name is Name => name in SETTINGS

function defaultOf(name: Name): string {
  const { data } = SETTINGS[name].safeParse(undefined)
  if (data === undefined) return ''
  return `\`${typeof data === 'boolean' ? Number(data) : data}\``
}

const cell = (text: string) =>
  text
    .replaceAll(/[|*<]/g, String.raw`\$&`)
    .replaceAll(/\b[A-Z][A-Z0-9_]{3,}\b/g, (name) => (isName(name) ? `\`${name}\`` : name))

export async function describeSettings(example: string): Promise<string> {
  const rows: string[] = []
  let comment: string[] = []
  for (const line of example.split('\n')) {
    const [, name = ''] = /^([A-Z][A-Z0-9_]*)=/.exec(line) ?? []
    if (line.startsWith('## ')) rows.push(`| **${line.slice(3)}** | | | |`)
    else if (line.startsWith('# ')) comment.push(line.slice(2))
    else if (line === '') comment = []
    else if (isName(name)) {
      const allowed = cell(SETTINGS[name].description ?? '')
      rows.push(`| \`${name}\` | ${defaultOf(name)} | ${allowed} | ${cell(comment.join(' '))} |`)
      comment = []
    }
  }
  const { format } = await import('prettier')
  return format(`${HEAD}${rows.join('\n')}\n`, { parser: 'markdown', printWidth: 120 })
}

if (import.meta.main)
  writeFileSync(SETTINGS_PAGE, await describeSettings(readFileSync(join(ROOT, '.env.example'), 'utf8')))
