/** PayPal's name as payments, saved methods and orders carry it. */
export const PAYPAL = 'paypal'
export const PAYPAL_LABEL = 'PayPal'
