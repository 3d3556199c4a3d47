// Staff see the shop as a member, read only, for a short time (decision 96).

export const VIEW_MINUTES = 15

export const END_VIEW_LINE = 'POST /api/view/end'

/** The id of the banner. A page with the banner must not write by itself. */
export const BANNER_ID = 'staff-view'
