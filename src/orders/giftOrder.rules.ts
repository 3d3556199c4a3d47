import { endOf } from '../localisation/sentence.rules.ts'

/** Explains to the recipient why a claimed gift was taken back. */
export const whyTakenBack = (giver: string, isDisputed: boolean): string =>
  isDisputed
    ? `${giver} disputed its payment and got the money back. You paid nothing.`
    : `Its payment was refunded to ${endOf(giver)} You paid nothing.`
