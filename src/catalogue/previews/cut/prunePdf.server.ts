import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { openNames } from './pdfNames.server.ts'

// Removes unused resources from pages. Pages and the forms on them often share the resources of the whole file.

const nameOf = (name: string) => PDFName.of(name)
const namesOf = (list: string) => new Set(list.split(' ').map(nameOf))

// other entries can hold the original artwork, or lead to other pages
const PAGE = namesOf('Type Parent MediaBox CropBox Rotate UserUnit Contents Group')
const FORM = namesOf('Type Subtype FormType BBox Matrix Group Filter DecodeParms Length')
const IMAGE = namesOf(
  'Type Subtype Width Height ColorSpace BitsPerComponent Intent ImageMask Mask SMask SMaskInData Matte Decode Interpolate Filter DecodeParms Length',
)
const TILES = namesOf('Type PatternType PaintType TilingType BBox XStep YStep Matrix Filter DecodeParms Length')
const GRADIENT = namesOf('Type PatternType Shading Matrix ExtGState')
const STATE = namesOf('Type LW LC LJ ML D RI OP op OPM Font BG BG2 UCR UCR2 TR TR2 HT FL SM SA BM SMask CA ca AIS TK')
const MASK = namesOf('Type S G BC TR')
/** Color spaces that apply without their names. */
const IMPLICIT = namesOf('DefaultGray DefaultRGB DefaultCMYK')
const RESOURCES = nameOf('Resources')
const SUBTYPE = nameOf('Subtype')

function retain(dict: PDFDict, keys: Set<PDFName>) {
  for (const key of dict.keys()) if (!keys.has(key)) dict.delete(key)
}
const dictOf = (object: PDFObject | undefined): PDFDict | undefined =>
  object instanceof PDFDict ? object : object instanceof PDFRawStream ? object.dict : undefined

/** Returns a function that prunes the pages of a document. It throws for contents that it cannot read. */
export function openPruner({ context }: PDFDocument): (page: PDFPage) => void {
  const namesIn = openNames()
  const pruned = new Set<PDFDict>()
  const isNew = (dict: PDFDict) => !pruned.has(dict) && pruned.add(dict)

  type Prune = (object: PDFObject | undefined, around: PDFDict | undefined) => void
  const KINDS: [PDFName, Prune][] = [
    [nameOf('XObject'), pruneObject],
    [nameOf('Pattern'), prunePattern],
    [nameOf('ExtGState'), pruneState],
    [nameOf('Font'), pruneFont],
    [nameOf('ColorSpace'), () => undefined],
    [nameOf('Shading'), () => undefined],
  ]

  /** Returns only the resources that the content uses. */
  function pruneResources(resources: PDFDict | undefined, names: Set<PDFName>): PDFDict {
    const used = context.obj({})
    for (const [kind, prune] of KINDS) {
      const drawn = context.obj({})
      for (const [name, value] of resources?.lookupMaybe(kind, PDFDict)?.entries() ?? [])
        if (names.has(name) || IMPLICIT.has(name)) {
          prune(context.lookup(value), resources)
          drawn.set(name, value)
        }
      used.set(kind, drawn)
    }
    return used
  }

  /** A form without resources uses those of the enclosing content, `around`, as PDF 1.1 allows. */
  function pruneDrawing(stream: PDFRawStream, keys: Set<PDFName>, around: PDFDict | undefined) {
    const { dict } = stream
    if (!isNew(dict)) return
    const resources = dict.lookupMaybe(RESOURCES, PDFDict) ?? around
    retain(dict, keys)
    dict.set(RESOURCES, pruneResources(resources, namesIn(stream)))
  }

  function pruneObject(object: PDFObject | undefined, around: PDFDict | undefined) {
    if (!(object instanceof PDFRawStream)) return
    const { dict } = object
    if (dict.lookup(SUBTYPE) === nameOf('Form')) pruneDrawing(object, FORM, around)
    else if (isNew(dict)) {
      retain(dict, IMAGE)
      for (const mask of ['Mask', 'SMask']) pruneObject(dict.lookup(nameOf(mask)), undefined)
    }
  }

  function prunePattern(object: PDFObject | undefined, around: PDFDict | undefined) {
    if (object instanceof PDFRawStream) return pruneDrawing(object, TILES, around)
    const dict = dictOf(object)
    if (!dict || !isNew(dict)) return
    retain(dict, GRADIENT)
    pruneState(dict.lookup(nameOf('ExtGState')), around)
  }

  function pruneState(object: PDFObject | undefined, around: PDFDict | undefined) {
    const dict = dictOf(object)
    if (!dict || !isNew(dict)) return
    retain(dict, STATE)
    const font = dict.lookup(nameOf('Font'))
    if (font instanceof PDFArray && font.size() > 0) pruneFont(font.lookup(0), around)
    const mask = dictOf(dict.lookup(nameOf('SMask')))
    if (!mask) return
    retain(mask, MASK)
    pruneObject(mask.lookup(nameOf('G')), around)
  }

  /** The glyphs of a Type 3 font are drawings. */
  function pruneFont(object: PDFObject | undefined, around: PDFDict | undefined) {
    const dict = dictOf(object)
    if (!dict || dict.lookup(SUBTYPE) !== nameOf('Type3') || !isNew(dict)) return
    const glyphs = dict.lookupMaybe(nameOf('CharProcs'), PDFDict)?.values() ?? []
    const names = new Set(glyphs.flatMap((glyph) => [...namesIn(context.lookup(glyph))]))
    dict.set(RESOURCES, pruneResources(dict.lookupMaybe(RESOURCES, PDFDict) ?? around, names))
  }

  return ({ node }) => {
    const resources = pruneResources(node.Resources(), namesIn(node.Contents()))
    retain(node, PAGE)
    node.set(RESOURCES, resources)
  }
}

const OFF = nameOf('OFF')

/** True if a layer is hidden at first. A sample has no layers, so it would show hidden content, such as answers. */
export function hidesLayers({ catalog, context }: PDFDocument): boolean {
  const properties = catalog.lookupMaybe(nameOf('OCProperties'), PDFDict)
  if (!properties) return false
  const first = properties.lookupMaybe(nameOf('D'), PDFDict)
  const base = first?.lookup(nameOf('BaseState'))
  if (base && base !== nameOf('ON')) return true
  if ((first?.lookupMaybe(OFF, PDFArray)?.size() ?? 0) > 0) return true
  return context.enumerateIndirectObjects().some(([, object]) => object instanceof PDFDict && canHide(object))
}

/** True for a layer that is hidden on screens, and for a group that is visible only if a layer is hidden. */
function canHide(dict: PDFDict): boolean {
  const view = dict.lookupMaybe(nameOf('Usage'), PDFDict)?.lookupMaybe(nameOf('View'), PDFDict)
  if (view?.lookup(nameOf('ViewState')) === OFF) return true
  if (dict.lookup(nameOf('Type')) !== nameOf('OCMD')) return false
  const policy = dict.lookup(nameOf('P'))
  return dict.has(nameOf('VE')) || policy === nameOf('AllOff') || policy === nameOf('AnyOff')
}
