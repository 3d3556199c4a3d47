import tlds from 'tlds' with { type: 'json' }
import { hasAddress } from './gifts.rules.ts'

const ENDS = new Set(tlds)

export const hasRealAddress = (text: string): boolean =>
  hasAddress(text, (end) => ENDS.has(end) || end.startsWith('xn--'))
