import { type Given, whole } from '../kit/config.server.ts'

export const REVIEWS_SETTINGS = {
  REVIEW_REQUEST_DAYS: whole(0, 365, 7).describe('a whole number of days from 0 to 365; 0 asks nobody for a review'),
}

export type ReviewsConfig = ReturnType<typeof resolveReviews>

export const resolveReviews = (given: Given<typeof REVIEWS_SETTINGS>) => ({
  reviewRequestDays: given.REVIEW_REQUEST_DAYS,
})
