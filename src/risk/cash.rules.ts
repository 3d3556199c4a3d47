/** Categories whose goods are as good as money. */
export const CASH_CATEGORIES: string[] = ['gift-cards', 'crypto', 'prepaid']

export const isCash = ({ categoryId }: { categoryId: string }): boolean => CASH_CATEGORIES.includes(categoryId)
