/** A query that answers violations as sentences in the column `told`; `captures` are the provider's books. */
export type Rule = { name: string; text: string }
