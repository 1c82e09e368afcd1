/** The color `surface` of globals.css, for the browser around the page. public/theme.js has it too. */
export const themeColors = { light: '#ffffff', dark: '#1d1c19' }
