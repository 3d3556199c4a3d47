const mostErrors = (name: string) => Math.min(2, Math.floor(name.length / 3))

export function closestTo(typed: string, names: string[]): string | undefined {
  const words = typed.split(' ')
  const close = names
    .map((name) => ({ name, errors: distance(words.slice(0, name.split(' ').length).join(' '), name) }))
    .filter(({ name, errors }) => errors <= mostErrors(name))
  return close.sort((a, b) => a.errors - b.errors)[0]?.name
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === b[j] ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
