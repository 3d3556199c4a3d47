import { Failure } from '../../kit/failure.ts'

type Named = { number: number; etag: string }

/** The stored parts of these numbers and tags, in order. Throws a Failure 400 in the words of the protocol. */
export function pickParts<P extends Named>(stored: P[], named: Named[]): P[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]))
  let before = 0
  return named.map(({ number, etag }) => {
    if (number <= before) throw unordered()
    before = number
    const part = byNumber.get(number)
    if (!part || bare(part.etag) !== bare(etag)) throw invalidPart()
    return part
  })
}

const bare = (etag: string) => etag.replaceAll('"', '')

const unordered = () =>
  new Failure(
    400,
    'The list of parts was not in ascending order. Parts must be ordered by part number.',
    'InvalidPartOrder',
  )

const invalidPart = () =>
  new Failure(
    400,
    'One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part’s entity tag.',
    'InvalidPart',
  )
