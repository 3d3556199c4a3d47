import { parseAst, type Plugin } from 'vite'

// React decides by the number of an element's kind what to do with it, so no bundler sees which kinds a shop never
// draws. This takes those out of the build, a sixth of React's bytes. decisions/0034 says how that stays safe.

const VERSION = '19.3.1'
/** As React's file ReactWorkTags.js numbers them. */
const LEFT_OUT = {
  Suspense: 13,
  lazy: 16,
  'what the server suspended': 18,
  SuspenseList: 19,
  'what Suspense and Activity hide': 22,
  'the same, in the oldest way': 23,
  'the cache of Suspense': 24,
  'title, meta, link, style and script, which React moves to the head': 26,
  'html, head and body': 27,
  ViewTransition: 30,
  Activity: 31,
}

export const lightReact: Plugin = {
  name: 'light-react',
  apply: 'build',
  transform: {
    filter: { id: /react-dom-client\.production\.js/ },
    handler(code) {
      if (!code.includes(`exports.version = "${VERSION}"`))
        this.error(`React is no longer ${VERSION}: compare the numbers in scripts/lightReact.ts with ReactWorkTags.js`)
      return { code: leaveOut(code, new Set(Object.values(LEFT_OUT))), map: null }
    },
  },
}

type Syntax = { type: string; start: number; end: number; [part: string]: unknown }

/** Takes comparisons of a `tag` with these numbers as false, and takes their cases out of each `switch` over a `tag`. */
export function leaveOut(code: string, numbers: ReadonlySet<unknown>): string {
  const cuts: [start: number, end: number, text: string][] = []
  const isTag = (it: unknown) => ((it as Syntax)['property'] as Syntax | undefined)?.['name'] === 'tag'
  const isLeftOut = (it: unknown) => numbers.has((it as Syntax | null)?.['value'])

  function walk(it: Syntax) {
    const { type, operator, left, right, start, end } = it
    const isCompared = type === 'BinaryExpression' && (operator === '===' || operator === '!==')
    if (type === 'SwitchStatement' && isTag(it['discriminant'])) walkCases(it['cases'] as Syntax[])
    else if (isCompared && ((isTag(left) && isLeftOut(right)) || (isLeftOut(left) && isTag(right))))
      cuts.push([start, end, operator === '===' ? 'false' : 'true'])
    else partsOf(it).forEach(walk)
  }

  function walkCases(cases: Syntax[]) {
    // from the case above, if that ends without a break
    let isReached = false
    for (const { test, consequent, start, end } of cases) {
      const body = consequent as Syntax[]
      const names = body.flatMap(variablesIn)
      const isCut = isLeftOut(test) && !(isReached && body.length > 0)
      if (isCut) cuts.push(names.length > 0 ? [body[0]!.start, end, `var ${names.join()}; break;`] : [start, end, ''])
      else {
        if (isLeftOut(test)) cuts.push([start, body[0]!.start, ''])
        body.forEach(walk)
        isReached = !isEnd(body.at(-1))
      }
    }
  }

  walk(parseAst(code) as unknown as Syntax)
  return cuts.reduceRight((text, [start, end, put]) => text.slice(0, start) + put + text.slice(end), code)
}

const partsOf = (it: Syntax) =>
  Object.values(it)
    .flat()
    .filter((part): part is Syntax => typeof (part as Syntax | null)?.type === 'string')

/** The names that a statement declares for its whole function: code that stays may use them. */
function variablesIn(it: Syntax): string[] {
  if (it.type.includes('Function')) return []
  const names = it.type === 'VariableDeclarator' ? [(it['id'] as Syntax)['name'] as string] : []
  return [...names, ...partsOf(it).flatMap(variablesIn)]
}

const isEnd = (it: Syntax | undefined): boolean =>
  /^(Return|Break|Throw|Continue)/.test(it?.type ?? '') ||
  (it?.type === 'BlockStatement' && isEnd((it['body'] as Syntax[]).at(-1)))
