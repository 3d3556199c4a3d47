/** Path of the page that shows a seller the course as a learner sees it. */
export const ownCoursePath = (productId: string, lessonId?: string) =>
  `/learn/${productId}?own=yes${lessonId === undefined ? '' : `&lesson=${lessonId}`}`

/** Path that downloads a file of a lesson for its seller. */
export const ownFilePath = (productId: string, fileId: string) => `/api/products/${productId}/course/files/${fileId}`

/** The same file for a player, which needs the bytes from the shop itself. */
export const ownPlayerPath = (productId: string, fileId: string) => `${ownFilePath(productId, fileId)}?reader`
