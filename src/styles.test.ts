import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Every class with a rule is used by some markup, and every class in the markup has a rule.

type Pages = { css: string; markup: string }

const isOfSignIn = (file: string) => /^src\/identity\/.*\.css$/.test(file)
const PAGES: Record<string, Pages> = {
  shop: {
    css: read(['src/**/*.css'], (file) => !isOfSignIn(file)),
    markup: read([
      'src/**/*.{tsx,js}',
      'src/**/*.{rules,motifs,client}.ts',
      'src/app/{landing,serving}/**/*.server.ts',
      'index.html',
    ]),
  },
  'sign-in pages': {
    css: read(['src/**/*.css'], isOfSignIn),
    markup: read(['src/{identity,notifications,app/texts}/**/*.{ts,js,html,svg}']),
  },
  'payment sandbox': { css: read(['sandbox/**/*.css']), markup: read(['sandbox/**/*.{ts,js,svg}']) },
}

/** Classes of markup that libraries write. */
const OF_LIBRARIES = /^(uppy-.*|cropper-container|is-waiting|is-complete|is-error|is-ghost)$/

function read(globs: string[], isWanted = (_file: string) => true): string {
  const files = globSync(globs).filter((file) => !/\.test\.tsx?$/.test(file) && isWanted(file))
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)
const wordsOf = (texts: string[]) =>
  texts.flatMap((text) => text.split(/\s+/)).filter((word) => /^[a-z]([\w-]*\w)?$/.test(word))

/** The value of each class attribute: one literal, or the literals of an expression and the parts of its templates. */
function classesOf(markup: string): string[] {
  return markup
    .split(/class(?:Name)?=/)
    .slice(1)
    .flatMap((rest) => {
      if (rest[0] !== '{') return [(/^"([^"]*)"/.exec(rest)?.[1] ?? '').replace(/\$\{[^}]*\}/g, ' ')]
      const literals: string[] = []
      // what is open: braces of code, or a quote whose literal is being read
      const open: string[] = []
      for (const token of rest.replace(/[!=]== '[^']*'/g, '').match(/\$\{|[{}'`]|[^${}'`]+|\$/g)!) {
        const isInText = open.at(-1) === "'" || open.at(-1) === '`'
        if (isInText && token !== open.at(-1) && token !== '${') literals.push(token)
        else if (token === open.at(-1) || token === '}') open.pop()
        else if (/['`{]/.test(token)) open.push(token)
        if (open.length === 0) break
      }
      return literals
    })
}

function findFaults({ css, markup }: Pages): string[] {
  const source = withoutComments(markup)
  const selectors = allOf(withoutComments(css).replace(/'[^'\n]*'/g, ''), /([^{};]+)\{/g).join('\n')
  const defined = new Set(allOf(selectors, /\.(-?[a-z_][\w-]*)/gi))
  const written = new Set(wordsOf(classesOf(source)))
  const words = new Set([...written, ...wordsOf(allOf(source, /['"`]([\w\s-]*)['"`]/g))])
  // a name in two parts: badge--${look}
  const starts = new Set(allOf(source, /([\w-]+--)\$\{/g))
  const isUsed = (name: string) =>
    words.has(name) || [...starts].some((start) => name.startsWith(start) && words.has(name.slice(start.length)))
  return [
    ...[...defined].filter((name) => !OF_LIBRARIES.test(name) && !isUsed(name)).map((name) => `.${name} is not used`),
    ...[...written].filter((name) => !defined.has(name)).map((name) => `${name} has no rule`),
  ].toSorted()
}

test.each(Object.entries(PAGES))('%s: each class has a rule and a use', (_name, pages) => {
  expect(pages.css).not.toBe('')
  expect(findFaults(pages)).toEqual([])
})

test('finds a rule without a use and a class without a rule', () => {
  const css =
    '.row { gap: 0.5rem } @media print { .row:has(> .lost) { gap: 0 } } .badge--bad { color: red } /* .gone {} */'
  const markup =
    "<i className={isOpen ? 'row stray' : ''} /><b className={`badge badge--${look}`} /> const look = 'bad'"
  expect(findFaults({ css, markup })).toEqual(['.lost is not used', 'badge has no rule', 'stray has no rule'])
})
