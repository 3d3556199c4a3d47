// The words in which a seller is told of a product that is not listed, the same on its page and in the list of their own.

export const FILE_WANTED = 'Not listed yet: add a file'
export const NOT_ON_SALE = 'Not on sale yet'
