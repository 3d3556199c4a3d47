/** Its goods are as good as money, because the category says so. */
export const isCash = (product: { isCash?: boolean | null | undefined }): boolean => product.isCash === true
