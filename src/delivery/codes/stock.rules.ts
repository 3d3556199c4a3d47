/** The path of the calls that list, add and download the codes of a product. */
export const codesPath = (productId: string) => `/api/products/${productId}/codes`
