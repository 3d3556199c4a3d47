import type { Draft } from './answer.ts'
import { draft } from './draft.rules.ts'

// Answers that need no facts.

export const SOCIAL_INTENTS = new Set(['greeting', 'thanks', 'about', 'person', 'abuse'])

// Every tool uses the id of the session, so this list does not protect data. It keeps plain attacks away from the
// language model, but must not match everyday questions.

const ASKS_FOR = String.raw`\b(?:show|give|tell|send me|list|read|print|open|export|dump|access|view|see|reveal|cancel|refund|reset|what(?:['’]?s| is| are| did)|which)\b.{0,40}`
const PERSONAL = String.raw`(?:orders?|codes?|e-?mails?|passwords?|purchases?|messages|chats?|keys|data|librar(?:y|ies))`
const PEOPLE = String.raw`(?:customers?|users?|members?|buyers?|shoppers?|people|persons?)`
const OTHER = String.raw`(?:other|another|all|every|each|any)`

const ATTACKS = [
  /(?<!\bi )\b(?:ignore|forget|disregard|override|bypass)\b.{0,30}\b(?:instructions?|rules?|prompts?|guidelines|training|restrictions)\b/i,
  /\b(?:ignore|forget|disregard)\s+(?:everything|all|the)\s+(?:previous|above)\s+and\b/i,
  /\b(?:system|hidden|initial|secret|internal)\s+prompt\b|\b(?:system|hidden|secret)\s+instructions?\b/i,
  /\b(?:hidden|internal)\s+(?:messages?|notes?|tools?|configuration)\b|\b(?:staff|moderator)\s+notes?\b/i,
  /\b(?:developer|debug|admin|god|sudo|jailbreak|dan)\s+mode\b|\bjailbreak\b|\bdo anything now\b/i,
  /\b(?:pretend|act|role-?play|behave|imagine)\b.{0,30}\b(?:as|to be|you are|youre|like)\b.{0,40}\b(?:admin|staff|support|agent|developer|unrestricted|evil|dan|owner|employee|database|terminal|shell|another (?:user|customer|person|assistant|bot))\b/i,
  /\byou are now (?:an?|my|dan|free|unrestricted|in \w+ mode)\b|\bfrom now on,? you (?:are|answer|act|speak|respond|reply|must|will only)\b|\bnew instructions?\s*:/i,
  new RegExp(String.raw`${ASKS_FOR}\b${OTHER}\s+${PEOPLE}['’]?s?['’]?\s+${PERSONAL}\b`, 'i'),
  new RegExp(String.raw`${ASKS_FOR}\b(?:some|any|every)(?:one|body)(?: else)?['’]?s\s+${PERSONAL}\b`, 'i'),
  new RegExp(
    String.raw`${ASKS_FOR}\b${PERSONAL}\s+(?:of|from|belonging to)\s+(?:${OTHER}\s+${PEOPLE}|(?:some|any|every)(?:one|body) else)\b`,
    'i',
  ),
  /<\s*\/?\s*(?:script|img|iframe|a|svg|style|object|embed|form|input|link|meta)\b|javascript:|data:text|onerror\s*=/i,
  /!?\[[^\]]*\]\([^)]*\)/,
  /\b(?:tools?|functions?) (?:can|could|do|may) you (?:call|use)\b|\byour functions and\b|\b(?:api|secret) keys? (?:that )?(?:you|do you) (?:use|have)\b|\benvironment variables?\b|\bdatabase url\b|\byour source code\b/i,
  /\byour (?:\w+ )?prompt\b(?!\s+(?:reply|answer|response|help|support|delivery|service|attention|action))/i,
  /\b(?:print|reveal|repeat|translate|encode|summari[sz]e|output)\s+(?:me\s+)?(?:all\s+)?your\s+(?:\w+\s+)?(?:instructions|rules|guidelines)\b/i,
  /\b(?:print|repeat|translate|encode|summari[sz]e|output)\b.{0,20}\b(?:everything|text|words|lines?|all|conversation)\b.{0,10}\babove\b/i,
]

/** The message tries to change the assistant's role, or requests data of another person. */
export const isAttack = (text: string): boolean => {
  const flat = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return ATTACKS.some((attack) => attack.test(flat))
}

const WANTS_PERSON = new RegExp(
  [
    String.raw`\b(?:talk|speak|chat|connect me|put me through|transfer me|hand me over|get me|give me|reach|contact|i (?:want|need)|i.?d like)\b`,
    String.raw`(?: (?:to|with|through))?(?: (?:a|an|the|some|your))?(?: (?:real|live|actual|human))?`,
    String.raw` (?:human(?: being)?|person|agent|representative|operator|staff|support team|customer (?:service|support)|someone real)\b`,
    // In 'a person who likes trees', the person gets a gift.
    String.raw`(?!['’]s)(?!\s+(?:who|that|with|in|of|like))|\b(?:talk|speak|chat) (?:to|with) (?:some|any)(?:one|body)\b`,
  ].join(''),
  'i',
)
/** Matches 'still not working, get me a human'. */
export const wantsPerson = (text: string): boolean => WANTS_PERSON.test(text)

/** Rude words. Used only if nothing else in the message can be answered. */
const RUDE =
  /\b(?:stupid|idiots?|idiotic|moron|dumb|useless|worthless|garbage|crap|shit\w*|bullshit|f+u+c+k\w*|sucks?|hate (?:you|this)|screw you|pathetic)\b/i
export const isRude = (text: string): boolean => RUDE.test(text)

const TEXTS: Record<string, (storeName: string) => string> = {
  greeting: (storeName) =>
    `Hello, and welcome to ${storeName}. Ask me about a product, an order, or how something works.`,
  thanks: () => 'You are welcome. I am here if something else comes up.',
  about: (storeName) =>
    `I am the assistant of ${storeName}, a program and not a person. I find products, tell you about your orders, and explain how the store works. A person is one press away: Talk to a person.`,
  person: () => 'Of course. I hand this chat to a person. Nothing needs repeating: they see what was said here.',
  abuse: () => 'I am sorry that this went badly. Tell me what you need, or press Talk to a person.',
  attack: () =>
    'I cannot help with that. I only know what is on sale, what is in your own account, and the help articles. Codes are shown on your order alone, never here. If I read you wrong, a person can help.',
}

export const answerSocially = (intent: string, storeName: string, confidence = 1): Draft =>
  draft({
    intent,
    confidence: Math.min(1, confidence),
    text: TEXTS[intent]!(storeName),
    wantsPerson: intent === 'person',
  })

/** Low, because the refusal is a guess from a few words. The review shows staff answers below 0.5. */
const CONFIDENCE_OF_REFUSAL = 0.4

/** Refuses, and also shows the question to staff, who can see whether it was an everyday question. */
export const refuse = (storeName: string): Draft => ({
  ...answerSocially('attack', storeName, CONFIDENCE_OF_REFUSAL),
  offersPerson: true,
})
