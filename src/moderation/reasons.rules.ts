export const PRODUCT_REASONS: Record<string, string> = {
  harmful: 'Harmful file',
  rights: 'Rights of others',
  different: 'Not as described',
  broken: 'Does not work',
  used: 'Code already used',
  rules: 'Not allowed here',
}

export const REVIEW_REASONS: Record<string, string> = {
  insult: 'Insult or threat',
  private: 'Private details of a person',
  spam: 'Spam or advertising',
  fake: 'Not their own experience',
  unlawful: 'Unlawful content',
}

export const REASONS: Record<string, string> = { ...PRODUCT_REASONS, ...REVIEW_REASONS }

export const reasonsFor = (isReview: boolean) => (isReview ? REVIEW_REASONS : PRODUCT_REASONS)

/** Formats the text for the seller or author: 'Harmful file. The installer is flagged by two scans.' */
export const wordsOf = (reason: string, message: string): string => `${REASONS[reason]}. ${message}`
