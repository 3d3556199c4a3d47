import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Browsers, BROWSERS } from './browsers.ts'

// The build translates syntax, not API calls. `lib` in tsconfig.browser.json limits language built-ins. This table
// lists recent web APIs with the first supporting version of each browser.
const RECENT: [call: RegExp, chrome: number, safari: number, firefox: number][] = [
  [/\bAbortSignal\.timeout\(/, 103, 16, 100],
  [/\bAbortSignal\.any\(/, 116, 17.4, 124],
  [/\bPromise\.withResolvers\b/, 119, 17.4, 121],
  [/\b(Object|Map)\.groupBy\(/, 117, 17.4, 119],
  [/\bArray\.fromAsync\(/, 121, 16.4, 115],
  [/\.(toSorted|toReversed|toSpliced)\(/, 110, 16, 115],
  [/\.(toWellFormed|isWellFormed)\(/, 111, 16.4, 119],
  [/\bURL\.canParse\(/, 120, 17, 115],
  [/\bURL\.parse\(/, 126, 18, 126],
  [/\bIntl\.Segmenter\b/, 87, 14.1, 125],
  [/\bIntl\.DurationFormat\b/, 129, 16.4, 136],
  [/\.checkVisibility\(/, 105, 17.4, 106],
  [/\.(showPopover|togglePopover)\(|\bpopover=/, 114, 17, 125],
  [/\bparse(Creation|Request)OptionsFromJSON\(/, 129, 18.4, 119],
  [/\bnew URLPattern\(/, 95, 26, 142],
  [/\bscheduler\.yield\(/, 129, Infinity, 142],
  [/\brequestIdleCallback\(/, 47, Infinity, 55],
  [/\.moveBefore\(/, 133, Infinity, 144],
  [/\bPromise\.try\(/, 128, 18.2, 134],
  [
    /(?<!\bz)\.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/,
    122,
    17,
    127,
  ],
  [
    /\bIterator\.(from|concat)\(|\.(values|keys|entries)\(\)\s*\.(map|filter|take|drop|flatMap|some|find|toArray)\(/,
    122,
    18.4,
    131,
  ],
  [/\.(toBase64|toHex|setFromBase64|setFromHex)\(|\bfrom(Base64|Hex)\(/, 140, 18.2, 133],
  [/\b(response|answer|request|blob|file)\.bytes\(\)/, 132, 18, 128],
  [/\.getOrInsert(Computed)?\(/, 145, 26.2, 144],
  [/\bMath\.sumPrecise\(/, 147, 26.2, 137],
  [/\bfor await \(.* of .*(body|stream)/, 124, 26.4, 110],
]

const sources = globSync('src/*/**/*.{ts,tsx}')
  .filter((file) => !/\.(server|module)\.ts$|\.test(\.\w+)?\.tsx?$|\.d\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

const findMissing = (read: typeof sources, { chrome, safari, firefox }: Browsers) =>
  RECENT.filter(([, ...since]) => since.some((version, i) => version > [chrome, safari, firefox][i]!)).flatMap(
    ([call]) => read.filter(({ text }) => call.test(text)).map(({ file }) => `${file} calls ${call.source}`),
  )

test('calls no API that a supported browser lacks', () => {
  expect(findMissing(sources, BROWSERS)).toEqual([])
})

test('reports a browser that is too old for a call', () => {
  const read = [{ file: 'a.ts', text: 'AbortSignal.any([signal])' }]
  expect(findMissing(read, { ...BROWSERS, safari: 17.3 })).toEqual(['a.ts calls \\bAbortSignal\\.any\\('])
})
