/** The name of USDC as payments and orders carry it. */
export const USDC = 'usdc'
export const USDC_LABEL = 'USDC'
