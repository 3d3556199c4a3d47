import { EVENTS, type HookEvent } from '../../notifications/hooks/hooks.contract.ts'

type FirstWord<Name> = Name extends `${infer Word}.${string}` ? Word : never
type Word = FirstWord<HookEvent>

const TITLES: Record<Word, string> = {
  order: 'Orders',
  refund: 'Refunds',
  dispute: 'Disputes',
  license: 'Licence keys',
  gift: 'Gifts',
  product: 'Products',
  payout: 'Payouts',
  review: 'Reviews',
}

export const EVENT_NAMES = Object.keys(EVENTS) as HookEvent[]

export type EventGroup = { word: Word; title: string; events: HookEvent[] }

const wordOf = (name: HookEvent) => name.split('.')[0] as Word

/** The events by their first word, in the order of the contract. */
export const EVENT_GROUPS: EventGroup[] = [...Map.groupBy(EVENT_NAMES, wordOf)].map(([word, events]) => ({
  word,
  title: TITLES[word],
  events,
}))

/** Returns the chosen events in the order of the contract after some of them are chosen or not. */
export const chooseEvents = (chosen: HookEvent[], some: HookEvent[], isChosen: boolean): HookEvent[] =>
  EVENT_NAMES.filter((name) => (some.includes(name) ? isChosen : chosen.includes(name)))
