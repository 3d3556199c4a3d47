import { endOf } from '../localisation/sentence.rules.ts'

export const whyTakenBack = (giver: string, isDisputed: boolean): string =>
  isDisputed
    ? `${giver} disputed its payment and got the money back. You paid nothing.`
    : `Its payment was refunded to ${endOf(giver)} You paid nothing.`
