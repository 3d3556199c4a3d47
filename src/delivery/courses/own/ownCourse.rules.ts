/** Path of the page that shows a seller the course as a learner sees it. */
export const ownCoursePath = (productId: string, lessonId?: string) =>
  `/learn/own/${productId}${lessonId === undefined ? '' : `?lesson=${lessonId}`}`
