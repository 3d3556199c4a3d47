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

/** The faults of each variant, in their order. Only a file may be free. */
export function variantProblems(variants: AskedVariant[], { mayBeFree }: { mayBeFree: boolean }): VariantProblem[] {
  const names = variants.map(({ name }) => name.trim().toLowerCase())
  return variants.map(({ price }, i) => {
    const wrongPrice = priceProblem(price, { mayBeFree })
    const wrongName =
      names[i] === '' ? 'Give it a name' : names.indexOf(names[i]!) < i ? 'Another variant has this name' : null
    return { ...(wrongName && { name: wrongName }), ...(wrongPrice && { price: wrongPrice }) }
  })
}

export const isFaultless = (problems: VariantProblem[]): boolean =>
  problems.every(({ name, price }) => name === undefined && price === undefined)
