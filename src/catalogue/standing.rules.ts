export const FILE_WANTED = 'Not listed yet: add a file'
export const CODES_WANTED = 'Not listed: add at least one code'
export const NOT_ON_SALE = 'Not on sale yet'
export const LESSON_WANTED = 'Not listed: add at least one lesson'
