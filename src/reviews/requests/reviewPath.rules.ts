const WRITES = 'review'

/** The page of a product with the open form of a review. */
export const reviewPath = (productId: string) => `/product/${productId}?${WRITES}`

/** Whether an address asks for the form of a review. */
export const asksForReview = (search: URLSearchParams) => search.has(WRITES)
