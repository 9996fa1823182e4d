/** Finding files and text. */
import { rewriteFd } from "../scripts/fd.ts";
import { rewriteFind } from "../scripts/find.ts";
import { list } from "./rule.ts";
import type { Rule } from "./rule.ts";

/** The options of fd but those that run a command. */
const FD: Rule = {
  names: "fd fdfind",
  options: {
    flags: "HIusigaLplq10FhV",
    valued: "dteESocj",
    long: list(`hidden no-ignore unrestricted no-ignore-vcs no-ignore-parent no-global-ignore-file case-sensitive ignore-case glob regex
      fixed-strings absolute-path list-details follow full-path print0 max-depth= min-depth= exact-depth= type= extension= exclude=
      size= changed-within= changed-before= changed-after= newer= older= owner= color= threads= max-results= base-directory=
      path-separator= search-path= strip-cwd-prefix=? one-file-system prune quiet and= format= show-errors max-one-result hyperlink=?
      no-hidden relative-path ignore-file= help version`),
    harmful: "-x -X --exec --exec-batch",
  },
};

export const SEARCH: readonly Rule[] = [
  { names: "grep egrep fgrep rgrep ggrep", options: "any" },
  {
    names: "locate plocate mlocate",
    options: {
      flags: "bceiAHLPqsw0",
      valued: "nlr",
      long: "basename count existing ignore-case limit= regex regexp= null wholename all version help",
    },
  },
  { names: "find gfind", options: "any", rewrite: rewriteFind },
  { names: "fd fdfind", options: "any", rewrite: rewriteFd(FD) },
  {
    names: "rg ripgrep",
    options: {
      flags: "ivnNHIlLcoqswxFPUSauhV0p.",
      valued: "gtTeABCmMjdfEr",
      long: list(`after-context= before-context= context= colors= color= column no-column context-separator= count count-matches crlf no-crlf
        debug trace encoding= engine= field-context-separator= field-match-separator= file= files files-with-matches files-without-match
        fixed-strings no-fixed-strings follow no-follow glob= glob-case-insensitive heading no-heading help hidden no-hidden iglob=
        ignore no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent
        no-ignore-vcs ignore-case ignore-file= ignore-file-case-insensitive include-zero invert-match no-invert-match json no-json
        line-buffered line-number no-line-number line-regexp max-columns= max-columns-preview max-count= max-depth= maxdepth=
        max-filesize= messages no-messages mmap no-mmap multiline no-multiline multiline-dotall no-config no-unicode null null-data
        one-file-system only-matching passthru passthrough path-separator= pcre2 no-pcre2 pcre2-version pretty quiet regexp=
        regex-size-limit= dfa-size-limit= replace= case-sensitive smart-case sort= sortr= sort-files stats no-stats stop-on-nonmatch
        text no-text threads= trim no-trim type= type-not= type-add= type-clear= type-list unrestricted version vimgrep
        with-filename no-filename word-regexp no-require-git no-context-separator hyperlink-format= block-buffered auto-hybrid-regex
        binary no-binary`),
      harmful: "--pre --pre-glob -z --search-zip --hostname-bin",
    },
    inject: ["--no-config"],
    marker: "--",
  },
  {
    names: "ag",
    options: {
      flags: "acDfhHiLlnoQqrRsSuUvVw0",
      valued: "ABCgGm",
      long: "ackmate after= before= context= column count nobreak nocolor color noheading heading hidden ignore= ignore-dir= case-sensitive smart-case literal files-with-matches files-without-matches max-count= numbers nonumbers only-matching depth= follow skip-vcs-ignores unrestricted invert-match word-regexp version help nopager js ts py",
      harmful: "--pager -z --search-zip",
    },
    inject: ["--nopager"],
    marker: "--",
  },
];
