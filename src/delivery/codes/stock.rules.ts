/** Path of the routes that list, add and download the codes of a product. */
export const codesPath = (productId: string) => `/api/products/${productId}/codes`
