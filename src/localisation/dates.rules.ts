const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
const moment = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** 'Nov 18, 2026' */
export const formatDay = (iso: string): string => day.format(new Date(iso))

/** 'Nov 18, 2:01 PM' */
export const formatMoment = (iso: string): string => moment.format(new Date(iso))

/** '2:01 PM', from milliseconds since 1970. */
export const formatClock = (time: number): string => clock.format(time)
