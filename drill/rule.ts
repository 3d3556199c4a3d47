/** A query that returns violations as sentences in the column `violation`. It may read `captures`, the provider's record. */
export type Rule = { name: string; text: string }
