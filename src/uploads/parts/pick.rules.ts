import { Failure } from '../../kit/failure.ts'

type Named = { number: number; etag: string }

/** Selects the stored parts by number and tag, in order. Throws a Failure 400 with the messages of S3. */
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
