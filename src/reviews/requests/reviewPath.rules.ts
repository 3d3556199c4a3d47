const WRITES = 'review'

/** The page of a product with the open form of a review. */
export const reviewPath = (productId: string) => `/product/${productId}?${WRITES}`

/** Returns whether a URL opens the form of a review. */
export const asksForReview = (search: URLSearchParams) => search.has(WRITES)
