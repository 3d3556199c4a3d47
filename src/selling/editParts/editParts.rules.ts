import { KIND_NAMES } from '../../catalogue/kindNames.rules.ts'
import type { KindName } from '../../catalogue/kinds.rules.ts'

/** Licence keys and lessons have separate editors after the goods. */
export const GOODS_TITLES: Record<KindName, string> = { ...KIND_NAMES, license: 'Files' }

export type EditPartId =
  'basics' | 'goods' | 'variants' | 'bundle' | 'license' | 'lessons' | 'description' | 'cover' | 'previews'
export type EditPart = { id: EditPartId; name: string }

const EDITORS: Partial<Record<KindName, EditPart>> = {
  bundle: { id: 'bundle', name: 'Products in this bundle' },
  license: { id: 'license', name: 'Licence keys' },
  course: { id: 'lessons', name: 'Lessons' },
}

/** Buyers choose a variant by its price, so a product with a chosen price has none. */
export const canHaveVariants = (kind: KindName, isPriceFixed: boolean): boolean =>
  kind !== 'bundle' && kind !== 'course' && isPriceFixed

/** The parts of the page of a product, from top to bottom. */
export function editPartsOf(kind: KindName, isPriceFixed: boolean): EditPart[] {
  const editor = EDITORS[kind]
  return [
    { id: 'basics', name: 'What you sell' },
    { id: 'goods', name: GOODS_TITLES[kind] },
    ...(canHaveVariants(kind, isPriceFixed) ? [{ id: 'variants', name: 'Variants' } as const] : []),
    ...(editor ? [editor] : []),
    { id: 'description', name: 'Description' },
    { id: 'cover', name: 'Cover' },
    { id: 'previews', name: 'Previews' },
  ]
}

/** The element of a part. */
export const anchorOf = (id: EditPartId): string => `part-${id}`

/** A part is current from this share of the window height. */
const LINE = 0.35

type Place = { id: EditPartId; /** Distance of its upper edge from the upper edge of the window. */ top: number }

/** Returns the current part. At the end of the page, this is the last one. */
export function currentPart(places: Place[], windowHeight: number, isAtEnd: boolean): EditPartId | undefined {
  if (isAtEnd) return places.at(-1)?.id
  return (places.findLast(({ top }) => top <= windowHeight * LINE) ?? places[0])?.id
}
