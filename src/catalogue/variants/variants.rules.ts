import { priceProblem } from '../price.rules.ts'

export const MAX_VARIANTS = 20
export const MAX_NAME_LENGTH = 60

export type AskedVariant = {
  id?: string | undefined
  name: string
  price: string
  isActive: boolean
}

export type VariantProblem = { name?: string; price?: string }

const nameOf = ({ name }: AskedVariant) => name.trim().toLowerCase()

/** Validates each variant, in order. Only a file may be free. */
export function variantProblems(variants: AskedVariant[], { mayBeFree }: { mayBeFree: boolean }): VariantProblem[] {
  const names = variants.map(nameOf)
  return variants.map((variant, i) => {
    const name = nameOf(variant)
    const wrongPrice = priceProblem(variant.price, { mayBeFree })
    const wrongName = name === '' ? 'Give it a name' : names.indexOf(name) < i ? 'Another variant has this name' : null
    return { ...(wrongName && { name: wrongName }), ...(wrongPrice && { price: wrongPrice }) }
  })
}

export const isFaultless = (problems: VariantProblem[]): boolean =>
  problems.every(({ name, price }) => name === undefined && price === undefined)
