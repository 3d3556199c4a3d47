import type { Extent, Preview } from './previews.contract.ts'

// What a shopper reads about a sample before opening it.

type Sample = Pick<Preview, 'kind' | 'alt' | 'shown' | 'whole'>

const MINUTE = 60

/** The action of a sample: 'Look inside', 'Read a sample', 'Play the first minute'. */
export function actionOf({ kind, shown }: Pick<Sample, 'kind' | 'shown'>): string {
  if (kind === 'pdf' || kind === 'image') return 'Look inside'
  if (kind === 'epub') return 'Read a sample'
  if (kind === 'video') return 'Watch a sample'
  if (shown === null) return 'Play a sample'
  return shown === MINUTE ? 'Play the first minute' : `Play the first ${shown === 1 ? 'second' : `${shown} seconds`}`
}

const UNITS: Partial<Record<Preview['kind'], string>> = { pdf: 'pages', epub: 'chapters' }

/** What a sample shows: 'The first 12 of 248 pages', or its name. */
export function extentOf({ kind, alt, shown, whole }: Sample): string {
  if (shown === null || whole === null) return alt
  const unit = UNITS[kind]
  if (unit) return `The first ${shown === 1 ? '' : `${shown} `}of ${whole} ${unit}`
  const [minutes, seconds] = [Math.floor(whole / MINUTE), whole % MINUTE]
  return ['Of', minutes > 0 && `${minutes} min`, seconds > 0 && `${seconds} s`].filter(Boolean).join(' ')
}

const CONTENT: Partial<Record<Preview['kind'], string>> = { pdf: 'pages', epub: 'text' }

/** What a cut would show: 'The first 2 of 10 pages, 20 % of the pages.' */
export function describeCut({ kind, shown, whole, percent }: Extent): string {
  const unit = UNITS[kind] ?? 'seconds'
  return `The first ${shown === 1 ? '' : `${shown} `}of ${whole} ${unit}, ${percent} % of the ${CONTENT[kind] ?? 'recording'}.`
}
