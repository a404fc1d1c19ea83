/** The folder of this package, ending with a slash; put in when the tests are bundled. */
declare const ROOT: string;
