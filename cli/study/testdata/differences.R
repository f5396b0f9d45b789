# Computes differences.json.gz: 40 random studies, each with its files and what study compare --all and
# study coexpression must answer. By hand: Rscript differences.R | gzip -9n > differences.json.gz
# R 4.2.2 (r-base-core), Debian 12.
RNGversion("4.2.0"); set.seed(20261128)

emit <- function(x) {
  if (is.list(x)) {
    if (is.null(names(x))) return(paste0("[", paste(sapply(x, emit), collapse = ","), "]"))
    return(paste0("{", paste0('"', names(x), '":', sapply(x, emit), collapse = ",\n"), "}"))
  }
  if (is.character(x)) return(paste0('"', gsub("\t", "\\t", gsub("\n", "\\n", x, fixed = TRUE), fixed = TRUE), '"'))
  if (is.na(x)) return("null")
  if (is.infinite(x)) return("null")
  sprintf("%.17g", x)
}
rows <- function(m) paste0(paste(apply(m, 1, paste, collapse = "\t"), collapse = "\n"), "\n")
blank <- function(v) ifelse(is.na(v), "NA", format(v, trim = TRUE, digits = 15, scientific = FALSE, drop0trailing = TRUE))
gaps <- function(v, share) { v[runif(length(v)) < share] <- NA; v }
quiet <- suppressWarnings
test <- function(kind, name, p, effect, statistic = NA) list(kind = kind, name = name, p = p, effect = effect, statistic = statistic)
meta <- function(alteration, type, id, file) paste0("genetic_alteration_type: ", alteration, "\ndatatype: ", type, "\nstable_id: ", id, "\ndata_filename: ", file, "\n")

altered <- function(kind, name, is, group, k) { # is: NA where not profiled
  n <- sapply(1:k, function(g) sum(!is.na(is[group %in% g]))); a <- sapply(1:k, function(g) sum(is[group %in% g], na.rm = TRUE))
  if (sum(a) == 0) return(NULL)
  x <- cbind(a, n - a)
  if (k == 2) {
    if (any(n == 0)) return(NULL)
    return(test(kind, name, fisher.test(x)$p.value, log2((a[1] / n[1]) / (a[2] / n[2]))))
  }
  x <- x[n > 0, , drop = FALSE]
  if (nrow(x) < 2) return(NULL)
  if (sum(x[, 2]) == 0) return(test(kind, name, 1, NA))
  ch <- quiet(chisq.test(x, correct = FALSE))
  test(kind, name, ch$p.value, sqrt(unname(ch$statistic) / sum(x)), unname(ch$statistic))
}
expressed <- function(name, v, group, k) {
  g <- lapply(1:k, function(i) { x <- v[group %in% i]; x[!is.na(x)] }); g <- g[lengths(g) >= 2]
  if (length(g) < 2) return(NULL)
  if (length(g) == 2) { t <- t.test(g[[1]], g[[2]]); return(test("expression", name, t$p.value, mean(g[[1]]) - mean(g[[2]]), unname(t$statistic))) }
  x <- unlist(g); f <- factor(rep(seq_along(g), lengths(g))); a <- summary(aov(x ~ f))[[1]]
  test("expression", name, a[1, 5], a[1, 2] / sum(a[, 2]), a[1, 4])
}
numeric <- function(name, v, group, k) {
  g <- lapply(1:k, function(i) { x <- v[group %in% i]; x[!is.na(x)] }); g <- g[lengths(g) > 0]
  if (length(g) < 2 || length(unique(unlist(g))) < 2) return(NULL)
  if (length(g) == 2) { w <- quiet(wilcox.test(g[[1]], g[[2]])); return(test("clinical", name, w$p.value, median(outer(g[[1]], g[[2]], "-")), unname(w$statistic))) }
  h <- kruskal.test(g); test("clinical", name, h$p.value, unname(h$statistic) / (length(unlist(g)) - 1), unname(h$statistic))
}
categorical <- function(name, v, group, k) {
  x <- table(factor(group, 1:k), v); x <- x[, colSums(x) > 0, drop = FALSE]; full <- x[rowSums(x) > 0, , drop = FALSE]
  if (nrow(full) < 2 || ncol(full) < 2) return(NULL)
  ch <- quiet(chisq.test(full, correct = FALSE)); v <- sqrt(unname(ch$statistic) / sum(full) / (min(dim(full)) - 1))
  if (k == 2 && ncol(x) == 2) return(test("clinical", name, fisher.test(x)$p.value, v))
  test("clinical", name, ch$p.value, v, unname(ch$statistic))
}

study <- function(id) {
  n <- sample(10:34, 1); ids <- paste0("S", seq_len(n)); k <- sample(2:4, 1)
  group <- sample(k, n, TRUE); group[1:k] <- 1:k; group <- gaps(group, if (n > 14) 0.1 else 0); k <- length(unique(group[!is.na(group)]))
  group <- match(group, sort(unique(group)))
  shift <- ifelse(is.na(group), 0, group)
  a <- list(AGE = gaps(round(rnorm(n, 60 + 3 * shift, 9)), 0.1), SCORE = gaps(round(rexp(n), 3), 0.1), GRADE = gaps(sample(1:3, n, TRUE), 0.2))
  cat <- list(SEX = gaps(sample(c("F", "M"), n, TRUE), 0.1), SITE = gaps(sample(c("a", "b", "c", "d"), n, TRUE, c(4, 3, 2, 1)), 0.1))
  same <- rep(4, n)
  clinical <- c(lapply(names(a), function(x) numeric(x, a[[x]], group, k)), lapply(names(cat), function(x) categorical(x, cat[[x]], group, k)))
  letter <- ifelse(is.na(group), "NA", LETTERS[group])
  files <- list("meta_s.txt" = "genetic_alteration_type: CLINICAL\ndatatype: SAMPLE_ATTRIBUTES\ndata_filename: samples.txt\n",
    "samples.txt" = rows(cbind(c("SAMPLE_ID", ids), c("PATIENT_ID", sub("S", "P", ids)), c("ARM", letter), sapply(names(a), function(x) c(x, blank(a[[x]]))),
                               sapply(names(cat), function(x) c(x, ifelse(is.na(cat[[x]]), "NA", cat[[x]]))), c("SAME", same))))
  genes <- c("TP53", "KRAS", "EGFR", "PTEN", "MYC", "RB1")
  sequenced <- sort(sample(n, n - sample(0:4, 1))); rate <- runif(length(genes), 0.05, 0.6)
  mut <- lapply(seq_along(genes), function(i) { x <- runif(n) < pmin(1, rate[i] * shift); x[-sequenced] <- NA; x })
  mutations <- lapply(seq_along(genes), function(i) altered("mutation", genes[i], mut[[i]], group, k))
  maf <- do.call(rbind, lapply(seq_along(genes), function(i) { w <- which(mut[[i]]); if (length(w)) cbind(genes[i], ids[w], "Missense_Mutation") }))
  maf <- rbind(maf, c("RB1", ids[1], "Silent"), if (sequenced[1] != 1) c("MYC", ids[1], "Missense_Mutation"))
  files[["meta_m.txt"]] <- meta("MUTATION_EXTENDED", "MAF", "mutations", "mutations.txt")
  files[["mutations.txt"]] <- rows(rbind(c("Hugo_Symbol", "Tumor_Sample_Barcode", "Variant_Classification"), maf))
  list1 <- function(name, who) paste0("stable_id: ", id, "_", name, "\ncase_list_ids: ", paste(ids[who], collapse = "\t"), "\n")
  files[["case_lists/m.txt"]] <- list1("sequenced", sequenced)
  cna <- lapply(genes, function(g) gaps(sample(-2:2, n, TRUE, c(3, 2, 8, 2, 3)), 0.1))
  copies <- unlist(lapply(c(2, -2), function(s) lapply(seq_along(genes), function(i) altered(if (s > 0) "amplification" else "deep deletion", genes[i], cna[[i]] == s, group, k))), recursive = FALSE)
  files[["meta_c.txt"]] <- meta("COPY_NUMBER_ALTERATION", "DISCRETE", "gistic", "cna.txt")
  files[["cna.txt"]] <- rows(rbind(c("Hugo_Symbol", ids), cbind(genes, t(sapply(cna, blank)))))
  examined <- sort(sample(n, n - sample(0:3, 1))); partners <- c("ALK", "RET", "ROS1")
  sv <- lapply(partners, function(g) { x <- runif(n) < 0.25; x[-examined] <- NA; x })
  variants <- lapply(seq_along(partners), function(i) altered("structural variant", partners[i], sv[[i]], group, k))
  svs <- do.call(rbind, lapply(seq_along(partners), function(i) { w <- which(sv[[i]]); if (length(w)) cbind(ids[w], partners[i], partners[i]) }))
  files[["meta_v.txt"]] <- meta("STRUCTURAL_VARIANT", "SV", "structural_variants", "sv.txt")
  files[["sv.txt"]] <- rows(rbind(c("Sample_Id", "Site1_Hugo_Symbol", "Site2_Hugo_Symbol"), svs))
  files[["case_lists/v.txt"]] <- list1("sv", examined)
  logs <- runif(1) < 0.5 # RNA-seq counts, of which log2(1 + x) is compared
  values <- lapply(seq_along(genes), function(i) gaps(if (logs) round(rnorm(n, 40 * i, 45) + 5 * shift, 1) else round(rnorm(n, 8 + 0.3 * shift), 2 - i %% 2), 0.1))
  compared <- lapply(values, function(v) if (logs) log2(1 + pmax(v, 0)) else v)
  expression <- lapply(seq_along(genes), function(i) expressed(genes[i], compared[[i]], group, k))
  files[["meta_e.txt"]] <- meta("MRNA_EXPRESSION", if (logs) "CONTINUOUS" else "LOG2-VALUE", if (logs) "rna_seq_v2_mrna" else "mrna", "expression.txt")
  files[["expression.txt"]] <- rows(rbind(c("Hugo_Symbol", ids), cbind(genes, t(sapply(values, blank)))))
  tests <- Filter(Negate(is.null), c(clinical, mutations, copies, variants, expression))
  for (kind in unique(sapply(tests, `[[`, "kind"))) {
    w <- which(sapply(tests, `[[`, "kind") == kind)
    q <- p.adjust(sapply(tests[w], `[[`, "p"), "BH")
    for (i in seq_along(w)) tests[[w[i]]]$q <- q[i]
  }
  co <- lapply(2:length(genes), function(i) {
    s <- quiet(cor.test(values[[1]], values[[i]], method = "spearman", exact = FALSE))
    list(gene = genes[i], n = sum(!is.na(values[[1]]) & !is.na(values[[i]])), rho = unname(s$estimate), p = s$p.value)
  })
  q <- p.adjust(sapply(co, `[[`, "p"), "BH"); for (i in seq_along(co)) co[[i]]$q <- q[i]
  list(id = id, files = files, tests = unname(tests), coexpressed = co)
}

cat(emit(list(version = R.version.string, studies = lapply(1:40, function(i) study(paste0("random", i))))), "\n")
