/** Stripe's name as payments, saved methods and orders carry it. */
export const STRIPE = 'stripe'
export const STRIPE_LABEL = 'Stripe'
