import pg from 'pg'

export type Recorded = { name?: string; text: string; values: unknown[]; rows: Record<string, unknown>[] }

type Ask = { name?: string; text: string; values?: unknown[] } | string
type Heard = (error: Error | null, result: pg.QueryResult) => void

export async function record(work: () => Promise<unknown>): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  const real = pg.Client.prototype.query
  const note = (ask: Ask, values: unknown[] | undefined, result: pg.QueryResult) => {
    const {
      name,
      text,
      values: own,
    } = typeof ask === 'string' ? { name: undefined, text: ask, values: undefined } : ask
    const rows = (result.rows ?? []) as Record<string, unknown>[]
    recorded.push({ ...(name && { name }), text, values: values ?? own ?? [], rows })
  }
  pg.Client.prototype.query = function (this: pg.Client, ask: Ask, values?: unknown[] | Heard, callback?: Heard) {
    const listener = typeof values === 'function' ? values : callback
    const given = typeof values === 'function' ? undefined : values
    const asked = [ask, ...(given ? [given] : [])]
    if (!listener) {
      const answer = Reflect.apply(real, this, asked) as unknown as Promise<pg.QueryResult>
      return answer.then((result) => {
        note(ask, given, result)
        return result
      })
    }
    const hear: Heard = (error, result) => {
      if (!error) note(ask, given, result)
      listener(error, result)
    }
    return Reflect.apply(real, this, [...asked, hear])
  } as typeof real
  try {
    await work()
  } finally {
    pg.Client.prototype.query = real
  }
  return recorded
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Replays a recording for another buyer: replaces values by `renamed`, and ids that the database generates by the new
 * ones.
 */
export async function replay(client: pg.Client, recording: Recorded[], renamed: Map<string, string>) {
  const rename = (value: unknown): unknown => {
    if (typeof value !== 'string') return Array.isArray(value) ? value.map(rename) : value
    const known = renamed.get(value)
    if (known !== undefined || value.length < 40) return known ?? value
    let text = value
    for (const [from, to] of renamed) if (text.includes(from)) text = text.replaceAll(from, to)
    return text
  }
  for (const { name, text, values, rows } of recording) {
    const asked = { ...(name && { name }), text, values: values.map(rename) }
    const result = await client.query<Record<string, unknown>>(asked)
    rows.forEach((row, i) => {
      for (const [column, before] of Object.entries(row)) {
        const now = result.rows[i]?.[column]
        if (typeof before === 'string' && typeof now === 'string' && UUID.test(before)) renamed.set(before, now)
      }
    })
  }
}
