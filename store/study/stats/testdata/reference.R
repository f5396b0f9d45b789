# Computes reference.json: numbers for the tests of package stats, on synthetic data
# made here from a fixed seed. By hand: Rscript reference.R > reference.json
# R 4.2.2 (r-base-core), survival 3.5-3 (r-cran-survival), Debian 12.
suppressPackageStartupMessages(library(survival))
RNGversion("4.2.0"); set.seed(20260101)

emit <- function(x) {
  if (is.list(x)) {
    if (is.null(names(x))) return(paste0("[", paste(sapply(x, emit), collapse = ","), "]"))
    return(paste0("{", paste0('"', names(x), '":', sapply(x, emit), collapse = ",\n"), "}"))
  }
  one <- function(v) {
    if (is.character(v)) return(paste0('"', v, '"'))
    if (is.logical(v) && !is.na(v)) return(if (v) "true" else "false")
    if (is.na(v)) return("null")
    if (is.infinite(v)) return(if (v > 0) '"Inf"' else '"-Inf"')
    sprintf("%.17g", v)
  }
  paste0("[", paste(sapply(unname(x), one), collapse = ","), "]")
}

first <- function(time, v) { w <- which(!is.na(v) & v <= 0.5 + 1e-9); if (length(w)) time[w[1]] else NA }

curve <- function(time, event, tau) {
  f <- survfit(Surv(time, event) ~ 1, conf.type = "log-log")
  r <- survfit(Surv(time, 1 - event) ~ 1, conf.type = "log-log")
  m <- survival:::survmean(f, rmean = tau)$matrix
  rmean <- if (is.matrix(m)) m[1, "rmean"] else m["rmean"]
  se <- if (is.matrix(m)) m[1, "se(rmean)"] else m["se(rmean)"]
  z <- qnorm(0.975)
  list(time = time, event = event, tau = tau,
       at = f$time, risk = f$n.risk, events = f$n.event, censored = f$n.censor,
       survival = f$surv, low = f$lower, high = f$upper,
       median = c(first(f$time, f$surv), first(f$time, f$lower), first(f$time, f$upper)),
       follow = c(first(r$time, r$surv), first(r$time, r$lower), first(r$time, r$upper)),
       rmean = unname(c(rmean, rmean - z * se, rmean + z * se)))
}

test <- function(time, event, group, strata) {
  g <- factor(group)
  plain <- survdiff(Surv(time, event) ~ g)
  strat <- survdiff(Surv(time, event) ~ g + strata(strata))
  trend <- function(d, o, e) { w <- seq_along(o) - 1; x <- sum(w * (o - e)); v <- as.numeric(t(w) %*% d$var %*% w); x^2 / v }
  sum2 <- function(x) if (is.matrix(x)) rowSums(x) else x
  p <- function(x, df) pchisq(x, df, lower.tail = FALSE)
  df <- function(d) sum(sum2(d$exp) > 0) - 1
  tp <- trend(plain, plain$obs, plain$exp); ts <- trend(strat, sum2(strat$obs), sum2(strat$exp))
  list(time = time, event = event, group = group, strata = strata,
       observed = sum2(plain$obs), expected = sum2(plain$exp), plain = c(plain$chisq, df(plain), p(plain$chisq, df(plain))),
       stratified_observed = sum2(strat$obs), stratified_expected = sum2(strat$exp), stratified = c(strat$chisq, df(strat), p(strat$chisq, df(strat))),
       trend = c(tp, 1, p(tp, 1)), stratified_trend = c(ts, 1, p(ts, 1)))
}

cox <- function(time, event, x, terms, strata = NULL) {
  # terms: which columns of x make each term, so that cox.zph tests them as one
  groups <- lapply(terms, function(j) x[, j, drop = FALSE])
  names(groups) <- paste0("t", seq_along(groups))
  d <- c(list(time = time, event = event), groups)
  formula <- paste("Surv(time, event) ~", paste(names(groups), collapse = " + "))
  if (!is.null(strata)) { d$st <- strata; formula <- paste(formula, "+ strata(st)") }
  f <- coxph(as.formula(formula), data = d, ties = "efron", x = TRUE,
             control = coxph.control(eps = 1e-14, toler.chol = 1e-15, iter.max = 100))
  z <- tryCatch(cox.zph(f, transform = "km")$table, error = function(e) NULL) # singular: all deaths at one time
  if (is.null(z)) z <- matrix(NA, length(terms) + 1, 3)
  sm <- summary(f)
  list(time = time, event = event, x = lapply(seq_len(ncol(x)), function(j) x[, j]),
       terms = lapply(terms, function(j) j - 1), strata = if (is.null(strata)) list() else strata,
       coef = coef(f), se = sqrt(diag(vcov(f))), p = sm$coefficients[, 5], low = sm$conf.int[, 3], high = sm$conf.int[, 4],
       likelihood = f$loglik, ratio = unname(sm$logtest), wald = c(f$wald.test, ncol(x), pchisq(f$wald.test, ncol(x), lower.tail = FALSE)),
       score = unname(sm$sctest), ph_chi2 = z[, 1], ph_df = z[, 2], ph_p = z[, 3])
}

fisher <- function(a, b, c, d) {
  x <- matrix(c(a, b, c, d), 2, byrow = TRUE)
  p <- fisher.test(x)$p.value
  m <- a + c; n <- b + d; k <- a + b; lo <- max(0, k - n); hi <- min(k, m); support <- lo:hi
  if (lo == hi) return(list(table = c(a, b, c, d), p = p, odds = c(NA, NA, NA)))
  base <- dhyper(support, m, n, k, log = TRUE)
  dens <- function(l) { v <- base + l * support; v <- exp(v - max(v)); v / sum(v) }
  solve0 <- function(f) uniroot(f, c(-60, 60), tol = 1e-15, maxiter = 10000)$root
  est <- if (a == lo) 0 else if (a == hi) Inf else exp(solve0(function(l) sum(support * dens(l)) - a))
  low <- if (a == lo) 0 else exp(solve0(function(l) log(sum(dens(l)[support >= a])) - log(0.025)))
  high <- if (a == hi) Inf else exp(solve0(function(l) log(sum(dens(l)[support <= a])) - log(0.025)))
  list(table = c(a, b, c, d), p = p, odds = c(est, low, high))
}

tables <- function(x) {
  ch <- suppressWarnings(chisq.test(x, correct = FALSE))
  list(table = lapply(seq_len(nrow(x)), function(i) x[i, ]), fisher = fisher.test(x, workspace = 2e8)$p.value,
       chi2 = unname(c(ch$statistic, ch$parameter, ch$p.value)), v = unname(sqrt(ch$statistic / sum(x) / (min(dim(x)) - 1))), least = min(ch$expected))
}

wilcox <- function(x, y) {
  exact <- length(x) < 50 && length(y) < 50 && !any(duplicated(c(x, y)))
  w <- suppressWarnings(wilcox.test(x, y, exact = exact, correct = TRUE))
  d <- sort(outer(x, y, "-")); m <- length(x); n <- length(y)
  if (exact) { k <- max(1, qwilcox(0.025, m, n)) } else {
    t <- table(c(x, y))
    sigma <- sqrt(m * n / 12 * (m + n + 1 - sum(t^3 - t) / ((m + n) * (m + n - 1))))
    k <- max(1, round(m * n / 2 - qnorm(0.975) * sigma))
  }
  k <- min(k, (m * n + 1) %/% 2)
  list(x = x, y = y, u = unname(w$statistic), p = w$p.value, exact = exact, shift = c(median(d), d[k], d[m * n + 1 - k]))
}

kruskal <- function(...) {
  g <- list(...)
  k <- kruskal.test(g)
  list(groups = g, h = unname(c(k$statistic, k$parameter, k$p.value)))
}

# Natural logarithms of p-values, computed by R on the log scale.
sumlog <- function(v) max(v) + log(sum(exp(v - max(v))))
logfisher <- function(a, b, c, d) {
  l <- dhyper(max(0, a - d):min(a + b, a + c), a + c, b + d, a + b, log = TRUE)
  list(table = c(a, b, c, d), log = sumlog(l[l <= dhyper(a, a + c, b + d, a + b, log = TRUE) + 1e-7]))
}
tails <- local({
  g <- expand.grid(chi2 = c(5, 20, 300, 1320, 1400, 1500, 3000, 1e5), df = c(1, 2, 3, 7, 19))
  z <- c(0.1, -4, 36, -37.5, 38.6, 40, 250)
  t <- expand.grid(r = c(0.05, -0.4, 0.9, -0.999, 0.999999), n = c(5, 30, 250, 2000, 11000))
  q <- c(-5, -800, -801, -2000, 0, -790, -1)
  o <- order(q); m <- length(q)
  adjusted <- rev(cummin(rev(pmin(0, q[o] + log(m / seq_len(m))))))[order(o)]
  list(chi2 = g$chi2, df = g$df, chi = pchisq(g$chi2, g$df, lower.tail = FALSE, log.p = TRUE),
       z = z, normal = log(2) + pnorm(-abs(z), log.p = TRUE),
       r = t$r, n = t$n, student = log(2) + pt(-abs(t$r) * sqrt((t$n - 2) / (1 - t$r^2)), t$n - 2, log.p = TRUE),
       p = q, q = adjusted)
})

n <- 90
age <- round(rnorm(n, 62, 11)); sex <- rbinom(n, 1, 0.45); stage <- sample(0:2, n, TRUE); centre <- sample(0:2, n, TRUE)
raw <- rexp(n, 0.03 * exp(0.02 * (age - 60) + 0.4 * stage - 0.3 * sex)); cens <- runif(n, 5, 80)
event <- as.numeric(raw <= cens); time <- round(pmin(raw, cens), 2); tied <- pmax(1, round(time / 8))
x <- cbind(age, sex); xs <- cbind(stage1 = as.numeric(stage == 1), stage2 = as.numeric(stage == 2), age = age)

out <- list(
  versions = c(R.version.string, paste("survival", packageVersion("survival"))),
  curves = list(
    curve(time, event, 40), curve(tied, event, 7.5),
    curve(c(10, 12, 20, 30), c(1, 0, 1, 0), 30), curve(c(5), c(1), 5), curve(c(5), c(0), 4),
    curve(c(1, 2, 3, 4), c(0, 0, 0, 0), 4), curve(c(1, 2, 3, 4), c(1, 1, 1, 1), 2.5),
    curve(rep(7, 12), rep(c(0, 1), 6), 7), curve(c(0, 0, 3, 9), c(1, 0, 1, 0), 9),
    curve(1:7, c(1, 1, 1, 0, 0, 0, 0), 7), curve(1:6, c(1, 1, 1, 0, 1, 0), 6)),
  tests = list(
    test(time, event, stage, centre), test(tied, event, stage, centre), test(time, event, sex, centre),
    test(c(5, 10, 15, 5, 10, 15), c(1, 1, 1, 0, 0, 0), c(0, 0, 0, 1, 1, 1), rep(0, 6)),
    test(c(12, 24), c(1, 0), c(0, 1), c(0, 0)), test(c(time, 1, 1.5), c(event, 0, 0), c(stage, 3, 3), c(centre, 0, 0))),
  models = list(
    cox(time, event, cbind(sex), list(1)), cox(tied, event, cbind(sex), list(1)), cox(time, event, x, list(1, 2)),
    cox(tied, event, x, list(1, 2)), cox(tied, event, xs, list(1:2, 3)), cox(tied, event, x, list(1, 2), centre),
    cox(time, event, cbind(age * 1e6 + 1e9), list(1)), cox(rep(3, n), event, x, list(1, 2)), cox(time, rep(1, n), xs, list(1:2, 3), centre)),
  fishers = list(
    fisher(1, 1, 1, 2), fisher(1, 9, 11, 3), fisher(0, 5, 5, 0), fisher(10, 0, 0, 10), fisher(3, 1, 1, 3), fisher(0, 0, 4, 7),
    fisher(48, 145, 20, 500), fisher(7, 193, 2, 8000), fisher(0, 12, 30, 900), fisher(1500, 2500, 3500, 3500), fisher(1, 0, 0, 9000), fisher(40, 0, 300, 2)),
  tables = list(
    tables(rbind(c(3, 1, 4), c(1, 5, 9), c(2, 6, 5))), tables(rbind(c(10, 20), c(5, 40), c(30, 31))),
    tables(rbind(c(1, 0, 0, 0), c(0, 1, 0, 0), c(0, 0, 1, 0), c(0, 0, 0, 1))), tables(rbind(c(4, 4), c(4, 4))),
    tables(rbind(c(12, 3, 7, 1, 9), c(5, 14, 2, 8, 0))), tables(rbind(c(1, 2, 1, 0), c(3, 3, 6, 1), c(10, 10, 14, 9), c(6, 7, 12, 11)))),
  wilcoxons = list(
    wilcox(c(1, 2, 2, 5), c(2, 3, 4)), wilcox(c(1.1, 2.2, 3.3, 4.4), c(2.5, 3.5, 4.5, 5.5, 6.5)), wilcox(rnorm(49), rnorm(49, 0.5)),
    wilcox(rnorm(60), rnorm(30, 0.2)), wilcox(rnorm(3) + 9, rnorm(8)), wilcox(round(rnorm(25), 1), round(rnorm(70, 0.4), 1)), wilcox(c(1), c(2))),
  kruskals = list(
    kruskal(rnorm(12), rnorm(9, 1), rnorm(15)), kruskal(c(1, 1, 2, 3), c(2, 2, 4), c(3, 3, 3, 5), c(9)), kruskal(c(1, 2), c(1, 2))),
  quantiles = local({ v <- rnorm(23); list(values = v, of = c(0, 0.1, 0.25, 0.5, 0.75, 0.99, 1), is = unname(quantile(v, c(0, 0.1, 0.25, 0.5, 0.75, 0.99, 1)))) }),
  adjusted = local({ p <- c(0.01, 0.02, 0.03, 0.04, 0.05, 0.9, 1e-300, 0.04, 1); list(p = p, q = p.adjust(p, "BH")) }),
  proportions = local({ k <- c(0, 48, 79, 10); n <- c(20, 193, 8136, 10)
    ci <- sapply(seq_along(k), function(i) suppressWarnings(prop.test(k[i], n[i], correct = FALSE))$conf.int)
    list(k = k, n = n, low = ci[1, ], high = ci[2, ]) }),
  tails = tails,
  extremes = list(logfisher(700, 5, 3, 800), logfisher(600, 0, 0, 700), logfisher(5, 900, 1000, 7), logfisher(4000, 800, 900, 6000),
                  logfisher(0, 520, 530, 0), logfisher(3, 9, 4, 2)))

# Added later, so that the numbers above stay the same.
welch <- function(x, y) {
  t <- t.test(x, y)
  list(x = x, y = y, t = unname(c(t$statistic, t$parameter, t$p.value, mean(x) - mean(y))))
}
anova1 <- function(...) {
  g <- list(...); v <- unlist(g); f <- factor(rep(seq_along(g), lengths(g)))
  a <- summary(aov(v ~ f))[[1]]
  list(groups = g, f = c(a[1, 4], a[1, 1], a[2, 1], a[1, 5], a[1, 2] / sum(a[, 2])))
}
spearman <- function(x, y) {
  s <- suppressWarnings(cor.test(x, y, method = "spearman", exact = FALSE))
  list(x = x, y = y, s = unname(c(sum(!is.na(x) & !is.na(y)), s$estimate, s$p.value)))
}
gaps <- function(v, n) { v[sample(length(v), n)] <- NA; v }
out$welches <- list(
  welch(c(1, 2, 4), c(2, 9)), welch(rnorm(40), rnorm(25, 0.3, 4)), welch(rnorm(400, 3), rnorm(300, 3.001)), welch(round(rnorm(9)), round(rnorm(30, 2))))
out$anovas <- list(
  anova1(rnorm(12), rnorm(9, 1), rnorm(15)), anova1(c(1, 1, 2, 3), c(2, 2, 4), c(3, 3, 3, 5), c(9, 8)), anova1(rnorm(300), rnorm(500, 0.1), rnorm(200), rnorm(90, 0.2)))
out$spearmans <- list(
  spearman(round(rnorm(30), 1), gaps(round(rnorm(30), 1), 4)), spearman(c(3, 1, 2, 5), c(1, 2, 2, 9)), spearman(gaps(rnorm(300), 20), gaps(rnorm(300), 30)),
  spearman(rep(0:3, 60), rep(c(1, 1, 0), 80) + rep(0:3, 60)))
# Tails: t with df, F with df1 and df2, on the log scale. R's pt loses its last digits past 1e-300; pbeta is the same function.
deep <- expand.grid(a = c(1.5, 20, 250.25, 5500), b = c(0.5, 1, 2.5, 9.5), x = c(0.9, 0.3, 1e-3))
out$betas <- c(as.list(deep), list(log = pbeta(deep$x, deep$a, deep$b, log.p = TRUE)))
cat(emit(out), "\n")
