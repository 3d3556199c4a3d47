import type { OrderFact } from './facts.rules.ts'

// The words of a sentence that claim a state of an order or a payment.

/** A word, the states that make it true, and how it is meant: of some or of all orders, denied, or promised. */
export type StateClaim = {
  at: number
  said: string
  states: string[]
  isDenied: boolean
  isPromise: boolean
  isSome: boolean
  isAll: boolean
}

const PAST = String.raw`(?:is|are|was|were|been|being|be|got|gets?|has|have|had|now|already|yet|fully|just|marked as|shows? as|status(?: is)?:?)`
const STATES: [words: string, states: string[]][] = [
  [
    String.raw`completed|paid(?! (?:courses?|products?|out))|fulfilled|settled|succeeded|confirmed|approved|delivered(?! as )|went through|gone through`,
    ['completed'],
  ],
  [
    String.raw`(?<=\b${PAST}\s)(?:complete|successful)|(?<=\b(?:orders?|purchases?|it)\s(?:is|are)\s(?:now\s)?)ready(?! at once)`,
    ['completed'],
  ],
  [
    String.raw`pending|unpaid|outstanding|(?:awaiting|waiting for|waits for|awaits) (?:the |your |a )?payment`,
    ['pending'],
  ],
  [String.raw`on hold|(?<=\b${PAST}\s)held|under review|being (?:checked|reviewed|verified)`, ['held']],
  [String.raw`failed|unsuccessful|cancell?ed`, ['failed']],
  [String.raw`refunded|reimbursed|back (?:in|on|to) your (?:account|card|wallet|balance)`, ['refunded']],
  [
    String.raw`(?<=\b(?:got|received|have|has|had|given|getting|sent)\b[^.,;]{0,24})money back|(?<=\b(?:got|received|given|had)\b[^.,;]{0,16})refund|(?<=\brefunds?\b[^.,;]{0,60}\b(?:is|are|was|were|been)\s(?:\w+\s)?)(?:complete|completed|done|issued|sent|made|approved|granted|processed|paid|confirmed|under way|on (?:its|the) way|pending|successful|in progress|requested|initiated|started)|(?<=\brefunds?\b[^.,;]{0,30})(?:went|came|arrived|goes out)`,
    ['refunded'],
  ],
  [String.raw`(?<=\bpayments?\b[^.,;]{0,30})received`, ['completed']],
  // states that no order here has, or that no tool reads
  [
    String.raw`shipped|ships|bounced|dispatched|in transit|out for delivery|(?:is|are|it['’]s) on (?:its|the|their) way|processing|processed|in progress|declined|rejected|refused|expired|disputed|in dispute|frozen|charged back|reversed|escalated|(?:will|should) arrive|arrives? (?:today|tomorrow|on|by)\b`,
    [],
  ],
  [
    String.raw`(?<=\b(?:is|are|was|were|been|being|got|has|have)\s(?:\w+ly\s)?)(?:posted|arrived|arriving|returned|delayed|suspended|blocked|stuck|lost|voided|authori[sz]ed|cleared|closed|reopened)|(?<=\b(?:was|were|been)\s(?:\w+\s)?)charged`,
    [],
  ],
]
const PATTERNS = STATES.map(
  ([words, states]) => [new RegExp(String.raw`(?<![\p{L}-])(?:${words})(?![\p{L}])`, 'giu'), states] as const,
)

/** Whatever else an order is said to be: 'being packed', 'activated'. */
const OTHER =
  /(?<=\b(?:orders?|purchases?|payments?)\s+(?:[^\s.,;]+\s+){0,3}?(?:is|are|was|were|been|got)\s+(?:\w+ly\s+|now\s+|still\s+|not\s+)*)(?:\p{L}+ed|being \p{L}+|under \p{L}+)(?![\p{L}])/giu
const KNOWN_WORDS =
  /^(?:listed|shown|called|stored|sorted|displayed|needed|required|based|linked|numbered|checked|pending)$/i

const HYPOTHETICAL =
  /\b(?:if|unless|in case|once|until|till|as soon as|whenever|before|after|should|while|how|whether)\b/i
const TOLD = /\b(?:was|were|had|yesterday|already)\b/i
const MODAL =
  /(?:\b(?:can|could|may|might|must|should|cannot|has to|have to|needs? to|to)|n['’]t|\bcan not)(?:\s+(?:only|still|then|also|not|no longer|longer|first))*\s+be\s+(?:\w+ly\s+)?$/i
const WILL = /(?:\b(?:will|shall|going to|about to)|['’]ll)(?:\s+\w+)?\s+(?:be|get)\s+(?:\w+ly\s+)?$/i
const DENIED =
  /(?:\bnot|n['’]t|\bnever|\bno longer|\b(?:none|neither)\b[^,;]*)(?:\s+(?:yet|been|be|fully|marked as))*\s+$/i
const SOME =
  /\b(?:one|some|two|three|four|five|\d+) of (?:your|the) (?:orders|purchases|payments)\b|\b(?:have|has|see|there (?:is|are)) (?:an?|one|two|three|\d+)\b/i
const ALL =
  /\b(?:both|all|each)\b[^.;]{0,20}\b(?:orders?|purchases?|payments?)\b|\byour (?:orders|purchases|payments) (?:are|were|have)\b/i
/** 'An order stays pending until it is paid.' */
const ANY_ORDER =
  /^\s*(?:(?:an?|any|each|every|no)\s(?:\w+\s)?(?:order|payment|purchase|refund)|(?:orders|payments|purchases|refunds)\s(?=\p{L})(?!and\b))/iu
/** 'When the payment is confirmed, your order is completed.' */
const CONDITION = /^\W*(?:when|once|if|as soon as|after)\b[^,]*\b(?:pay|paid|confirmed|completed|refunded)\b[^,]*,/i
const THINGS = /^\s+(?:orders?|payments?|purchases?)\b/i

/** Every claim of a state. Rules such as 'a pending order' or 'once it is paid' are none. */
export function statesIn(text: string): StateClaim[] {
  const isSome = SOME.test(text)
  const isAll = ALL.test(text)
  const isTold = TOLD.test(text)
  const known = PATTERNS.flatMap(([pattern, states]) =>
    [...text.matchAll(pattern)].map(({ 0: said, index: at }) => ({ said, at, states })),
  )
  const others = [...text.matchAll(OTHER)]
    .map(({ 0: said, index: at }) => ({ said, at, states: [] as string[] }))
    .filter(
      ({ said, at }) => !KNOWN_WORDS.test(said) && !known.some((one) => one.at >= at && one.at < at + said.length),
    )
  return [...known, ...others]
    .flatMap(({ said, at, states }) => {
      const clause = text.slice(Math.max(...[...',;:—('].map((sign) => text.lastIndexOf(sign, at - 1))) + 1, at)
      const after = text.slice(at + said.length)
      const isPromise = WILL.test(clause)
      const isRule =
        (HYPOTHETICAL.test(clause) && !TOLD.test(clause)) ||
        (!isTold && (CONDITION.test(text) || ANY_ORDER.test(clause))) ||
        MODAL.test(clause) ||
        (THINGS.test(after) && !isSome && /(?:^|\b(?:an?|any|each|every|no|only|of|for|first|next))\s*$/i.test(clause))
      if (isRule && !isPromise) return []
      return [{ at, said, states, isDenied: DENIED.test(clause), isPromise, isSome, isAll }]
    })
    .toSorted((a, b) => a.at - b.at)
}

/** What is true of an order in the words above. */
export const stateOf = ({ status, isHeld }: OrderFact): string[] =>
  isHeld && status === 'pending' ? ['pending', 'held'] : [status]

export const isTrueOf = ({ states, isDenied }: StateClaim, order: OrderFact): boolean =>
  stateOf(order).some((state) => states.includes(state)) !== isDenied
