import type { Draft } from './answer.ts'
import { draft } from './draft.rules.ts'

// Answers that need no facts.

export const SOCIAL_INTENTS = new Set(['greeting', 'thanks', 'about', 'person', 'abuse'])

const ATTACKS = [
  /\b(?:ignore|forget|disregard|override|bypass)\b.{0,40}\b(?:instructions?|rules?|prompts?|previous|above|guidelines|training|restrictions)\b/i,
  /\b(?:system|hidden|initial|secret|internal)\s+(?:prompt|instructions?|message|notes?|tools?|configuration|settings)\b/i,
  /\b(?:staff|internal|private|moderator|admin)\s+notes?\b/i,
  /\b(?:developer|debug|admin|god|sudo|jailbreak|dan)\s+mode\b|\bjailbreak\b|\bdo anything now\b/i,
  /\b(?:pretend|act|role-?play|behave|respond|imagine)\b.{0,30}\b(?:as|to be|you are|youre|like)\b.{0,40}\b(?:admin|staff|support|agent|developer|another|unrestricted|evil|dan|owner|employee|database|terminal|shell)\b/i,
  /\byou are now\b|\bfrom now on\b.{0,30}\byou\b|\bnew instructions?\b/i,
  /\b(?:other|another|all|every|someone|anyone)(?:\s+else)?(?:['’]?s)?\s+(?:customers?|users?|members?|buyers?|peoples?|persons?|accounts?)?(?:['’]s?)?\s*(?:orders?|codes?|e-?mails?|address(?:es)?|passwords?|purchases?|data|cards?|librar(?:y|ies)|messages|chats?|keys)\b/i,
  /\b(?:orders?|codes?|e-?mails?|passwords?|purchases?|messages|keys|address(?:es)?)\s+(?:of|for|from|belonging to)\s+(?:other|another|all|every|any|user|customer|member|someone|somebody|[\w.+-]+@)/i,
  /\b(?:of|by|did|does|for)\b.{0,20}[\w.+-]+@[\w-]+\.\w{2,}/i,
  /\b(?:select|insert|update|delete|drop|union)\b.{0,40}\b(?:from|into|table|users|orders|where)\b/i,
  /<\s*\/?\s*(?:script|img|iframe|a|svg|style|object|embed|form|input|link|meta)\b|javascript:|data:text|onerror\s*=/i,
  /!?\[[^\]]*\]\([^)]*\)/,
  /\b(?:what|which|list|show|reveal|print|repeat|tell)\b.{0,30}\b(?:tools?|functions?|api key|secret key|env(?:ironment)? variables?|database url|source code|prompt)\b.{0,20}(?:you|have|use|call|above|$)/i,
  /\b(?:unsold|unused|all (?:the )?|free|spare|every )\s?(?:gift card )?codes\b|\bgenerate\b.{0,20}\b(?:codes?|keys?)\b|\b(?:give|send|show|tell) me (?:a|the|some) (?:valid |working |gift card |licence |license |free )+(?:code|key)s?\b/i,
  /\b(?:repeat|print|translate|encode|base64|rot13|summari[sz]e)\b.{0,40}\b(?:above|everything|conversation|prompt|instructions|rules)\b/i,
]

/** The message asks for something that no customer may have, or tries to change what the assistant is. */
export const isAttack = (text: string): boolean => {
  const flat = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return ATTACKS.some((attack) => attack.test(flat))
}

const WANTS_PERSON = new RegExp(
  [
    String.raw`\b(?:talk|speak|chat|connect me|put me through|transfer me|hand me over|get me|give me|reach|contact|i (?:want|need)|i.?d like)\b`,
    String.raw`(?: (?:to|with|through))?(?: (?:a|an|the|some|your))?(?: (?:real|live|actual|human))?`,
    String.raw` (?:human(?: being)?|person|agent|representative|operator|staff|support team|customer (?:service|support)|someone real)\b`,
    // 'a person who likes trees' is to get a gift
    String.raw`(?!['’]s)(?!\s+(?:who|that|with|in|of|like))|\b(?:talk|speak|chat) (?:to|with) (?:some|any)(?:one|body)\b`,
  ].join(''),
  'i',
)
/** 'still not working, get me a human' */
export const wantsPerson = (text: string): boolean => WANTS_PERSON.test(text)

/** Rude words. Only where nothing else in the message can be answered. */
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
    'I cannot help with that. I only know what is on sale, what is in your own account, and the help articles. Codes are shown on your order alone, never here.',
}

export const answerSocially = (intent: string, storeName: string, confidence = 1): Draft =>
  draft({
    intent,
    confidence: Math.min(1, confidence),
    text: TEXTS[intent]!(storeName),
    wantsPerson: intent === 'person',
  })
