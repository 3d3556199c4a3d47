type Bundle = { id: string; title: string }

/** `bundle` is null for lines that were bought alone. */
export type LineGroup<L> = { bundle: Bundle | null; lines: L[] }

/** Gathers the parts of each bundle at the place of its first part. Lines bought alone come last, as one group. */
export function groupByBundle<L extends { bundle?: Bundle | null | undefined }>(lines: L[]): LineGroup<L>[] {
  const bundles = new Map<string, LineGroup<L>>()
  const alone: L[] = []
  for (const line of lines) {
    if (!line.bundle) {
      alone.push(line)
      continue
    }
    const group = bundles.get(line.bundle.id)
    if (group) group.lines.push(line)
    else bundles.set(line.bundle.id, { bundle: line.bundle, lines: [line] })
  }
  return [...bundles.values(), ...(alone.length > 0 ? [{ bundle: null, lines: alone }] : [])]
}
